import type { RouteModel } from './route-schema.js'
import type { DeclaredVariables, Variable } from './variables.js'

/** Variables that a task shows, as a schema: names of types as clients know them from schemas of documents. */
export type VariableSchema = { name: string; fields: { readonly [variable: string]: string } }

const TYPES: { [type in Variable['type']]: string } = {
  string: 'string',
  integer: 'long',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  list: 'string[]',
  json: 'string',
}

const schemaOf = (name: string, variables: DeclaredVariables): VariableSchema[] => {
  const fields = Object.entries(variables).map(([variable, { type }]) => [variable, TYPES[type]])
  return fields.length === 0 ? [] : [{ name, fields: Object.fromEntries(fields) }]
}

/**
 * The variables of a node, and those of the route that it lists, each as a schema: `var_{model}_{node}` and
 * `var_global_{model}_{node}` (workflow-audit.md §1, taskInfo). None where there are no such variables.
 */
export const variableSchemas = (modelId: string, nodeId: string, model: RouteModel): VariableSchema[] => {
  const node = model.nodes[nodeId]
  if (!node) return []
  const listed = Object.entries(model.variables).filter(([name]) => node.globalVariables.includes(name))
  return [
    ...schemaOf(`var_${modelId}_${nodeId}`, node.variables),
    ...schemaOf(`var_global_${modelId}_${nodeId}`, Object.fromEntries(listed)),
  ]
}

/** The schema of variables by its name, among those of deployed models. */
export const findVariableSchema = (
  models: ReadonlyMap<string, RouteModel>,
  name: string,
): VariableSchema | undefined => {
  if (!name.startsWith('var_')) return undefined
  for (const [modelId, model] of models)
    for (const nodeId of Object.keys(model.nodes)) {
      const found = variableSchemas(modelId, nodeId, model).find((schema) => schema.name === name)
      if (found) return found
    }
  return undefined
}
