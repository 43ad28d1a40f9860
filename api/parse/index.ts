export { splitCommas } from '../../core/model/nxql/index.js'
export { parseInput, parseQuery } from './parse.js'
export {
  anyText,
  commaList,
  count,
  entity,
  flag,
  requiredWord,
  text,
  wholeNumber,
  word,
} from './values.js'
