export { actionsPoint } from './actions-point.js'
export { availableActions } from './available.js'
export { ENRICHER_CLASSES } from './enricher-classes.js'
export { contributedEnricher, enrichersOf, enrichersPoint } from './enrichers-point.js'
