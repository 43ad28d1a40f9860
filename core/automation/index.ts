export {
  type Boundary,
  defineOperation,
  type Method,
  type NestedCall,
  type Operation,
  type OperationContext,
  type OperationServices,
  type Parameter,
  type Parameters,
  type ParameterType,
  type ParameterValues,
} from './operation.js'
export {
  documentsValue,
  documentValue,
  typeOf,
  type Value,
  type ValueType,
  type Variables,
  VOID,
  valueOfJson,
} from './values.js'
