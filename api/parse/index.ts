export { parseInput, parseQuery } from './parse.js'
export {
  anyText,
  commaList,
  count,
  entity,
  flag,
  requiredWord,
  splitCommas,
  text,
  wholeNumber,
  word,
} from './values.js'
