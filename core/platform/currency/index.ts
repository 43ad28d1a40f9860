export { type Currency, createCurrency, forgetting, type MarkStore, type Marks } from './currency.js'
export { sharing } from './sharing.js'
