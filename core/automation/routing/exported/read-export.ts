import type { XmlPart } from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  type ExportedDocument,
  fieldOf,
  isTrue,
  itemsOf,
  readExportedDocument,
  textOf,
} from './properties.js'

/** What stands where something is: nothing is written for what is absent. */
const present = (values: { [field: string]: unknown }): object =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) =>
        value !== undefined &&
        value !== '' &&
        value !== false &&
        !(Array.isArray(value) && value.length === 0),
    ),
  )

const number = (part: XmlPart | undefined): number | undefined => {
  const value = Number.parseFloat(textOf(part) ?? '')
  return Number.isFinite(value) ? value : undefined
}

/** A variable of the name and value that an export shows; its schema is no part of one. */
const variableOf = ({ name, children, text }: XmlPart): [string, object] => {
  const bare = name.replace(/^.*:/, '')
  if (children.length > 0) return [bare, { type: 'list', default: children.map((child) => child.text) }]
  if (/^-?\d+$/.test(text)) return [bare, { type: 'integer', default: Number(text) }]
  if (/^(true|false)$/.test(text)) return [bare, { type: 'boolean', default: text === 'true' }]
  return [bare, { type: 'json', ...(text !== '' && { default: text }) }]
}

const variablesOf = ({ variables }: ExportedDocument, facet: string | undefined): [string, object][] => {
  const schema = facet?.replace(/^facet-/, '')
  const found = Object.entries(variables).find(([name]) => name === schema)?.[1] ?? []
  return found.map(variableOf)
}

const transitionOf = (item: XmlPart): object =>
  present({
    name: textOf(fieldOf(item, 'name')),
    label: textOf(fieldOf(item, 'label')),
    targetId: textOf(fieldOf(item, 'targetId')),
    condition: textOf(fieldOf(item, 'condition')),
    chain: textOf(fieldOf(item, 'chain')),
    path: itemsOf(fieldOf(item, 'path')).flatMap((point) => {
      const [x, y] = [number(fieldOf(point, 'x')), number(fieldOf(point, 'y'))]
      return x === undefined || y === undefined ? [] : [{ x, y }]
    }),
  })

const buttonOf = (item: XmlPart): object =>
  present({
    name: textOf(fieldOf(item, 'name')),
    label: textOf(fieldOf(item, 'label')),
    filter: textOf(fieldOf(item, 'filter')),
    ...(fieldOf(item, 'validate')?.text === 'false' && { validate: 'no' }),
  })

const ruleOf = (item: XmlPart): object =>
  present({
    name: textOf(fieldOf(item, 'name')),
    label: textOf(fieldOf(item, 'label')),
    condition: textOf(fieldOf(item, 'condition')),
    multipleExecution: isTrue(fieldOf(item, 'multipleExecution')),
    chain: textOf(fieldOf(item, 'chain')),
  })

/** `false` is a value of this one field, which is true where nothing stands. */
const withValidate = (button: object): object =>
  'validate' in button ? { ...button, validate: false } : button

const TEXTS = [
  'inputChain',
  'outputChain',
  'taskDocType',
  'taskDirective',
  'taskAssigneesExpr',
  'taskAssigneesPermission',
  'taskDueDateExpr',
  'taskLayout',
  'taskNotificationTemplate',
  'subRouteModelExpr',
] as const

const FLAGS = [
  'start',
  'stop',
  'executeOnlyFirstTransition',
  'hasTask',
  'hasMultipleTasks',
  'allowTaskReassignment',
] as const

const nodeOf = (document: ExportedDocument): object => {
  const { properties } = document
  const of = (field: string): XmlPart | undefined => properties[`rnode:${field}`]
  const variables = variablesOf(document, textOf(of('variablesFacet')))
  return present({
    title: textOf(properties['dc:title']),
    description: textOf(properties['dc:description']),
    taskDescription: textOf(of('taskDescription')),
    taskX: number(of('taskX')),
    taskY: number(of('taskY')),
    merge: textOf(of('merge')),
    ...Object.fromEntries(TEXTS.map((field) => [field, textOf(of(field))])),
    ...Object.fromEntries(FLAGS.map((field) => [field, isTrue(of(field))])),
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
    taskAssignees: itemsOf(of('taskAssignees')).map(({ text }) => text),
    taskButtons: itemsOf(of('taskButtons')).map(buttonOf).map(withValidate),
    transitions: itemsOf(of('transitions')).map(transitionOf),
    escalationRules: itemsOf(of('escalationRules')).map(ruleOf),
    subRouteVariables: itemsOf(of('subRouteVariables')).map((item) => ({
      key: textOf(fieldOf(item, 'key')) ?? '',
      value: textOf(fieldOf(item, 'value')) ?? '',
    })),
  })
}

/** Before the id of a node, the schema of the variables of the route that its task may set. */
const GLOBAL = 'var_global_'

const namesOf = (fields: readonly XmlPart[]): string[] => fields.map(({ name }) => name.replace(/^.*:/, ''))

/**
 * A model as the incumbent exports it: a `document.xml` for the route and each of its nodes (workflow-audit.md §2, Models).
 * Of variables the export shows names and values alone. Which of the route's a task may set say schemas
 * `var_global_{node}`, where the export has any; without them all tasks show all.
 *
 * @param entries text of each entry of the archive, by its name.
 * @returns the name of the model, and what a contribution to `routes` holds, which is checked when it is deployed.
 * @throws badRequest for what is no such export, naming the entry.
 */
export const readExport = (entries: ReadonlyMap<string, string>): { name: string; model: object } =>
  modelOf(
    [...entries]
      .filter(([name]) => name.endsWith('document.xml'))
      .map(([name, text]) => readExportedDocument(name, text)),
  )

/** The same of the documents of an export. @throws badRequest unless one of them is a route. */
export const modelOf = (documents: readonly ExportedDocument[]): { name: string; model: object } => {
  const routes = documents.filter(({ type }) => type === 'DocumentRoute')
  const [route] = routes
  if (!route || routes.length > 1)
    throw fail(
      'badRequest',
      `The export has ${routes.length} documents of type DocumentRoute; one is expected`,
    )
  const variables = variablesOf(route, textOf(route.properties['docri:variablesFacet']))
  const globalVariables = variables.map(([name]) => name)
  const listed = new Map(
    documents.flatMap((document) =>
      Object.entries(document.variables).flatMap(([schema, fields]) =>
        schema.startsWith(GLOBAL) ? [[schema.slice(GLOBAL.length), namesOf(fields)] as const] : [],
      ),
    ),
  )
  const nodes = documents
    .filter(({ type }) => type === 'RouteNode')
    .map((document): [string, object] => {
      const node = nodeOf(document)
      const id = textOf(document.properties['rnode:nodeId']) ?? document.name
      const shown = listed.size === 0 ? globalVariables : (listed.get(id) ?? [])
      const own = shown.filter((name) => globalVariables.includes(name))
      return [id, { ...node, ...('hasTask' in node && own.length > 0 && { globalVariables: own }) }]
    })
  return {
    name: route.name,
    model: present({
      title: textOf(route.properties['dc:title']),
      description: textOf(route.properties['dc:description']),
      ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
      nodes: Object.fromEntries(nodes),
    }),
  }
}
