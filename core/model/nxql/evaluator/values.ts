import type { ContentModel } from '../../content-model/index.js'
import type { Reference } from '../index.js'
import type { EvaluatedDocument } from './document.js'

/** How a value compares. `opaque` is there or not; `day` is the outcome of DATE(). */
export type Kind = 'text' | 'number' | 'boolean' | 'date' | 'day' | 'opaque'

export type Json = null | string | number | boolean | Json[] | { [field: string]: Json }

export type Value = string | number | boolean | null

/** Elements chosen for the numbered wildcards, by their xpath. */
export type Choice = ReadonlyMap<string, Json>

/**
 * What a reference stands for in a document: the values of an element for each way of choosing the unnumbered
 * wildcards, and, for a bare list, all elements of it.
 */
export type Found = { kind: Kind; isList: boolean; ways: Value[][] }

const isObject = (json: Json | undefined): json is { [field: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

const listOf = (json: Json | undefined): Json[] => (Array.isArray(json) ? json : [])

const KINDS: { [type: string]: Kind } = {
  string: 'text',
  binary: 'text',
  long: 'number',
  double: 'number',
  boolean: 'boolean',
  date: 'date',
}

/** 64-bit integers that no number holds exactly are stored as their digits. */
const isExactLong = (json: Json): boolean => typeof json === 'string' && /^-?[1-9]\d{15,18}$/.test(json)

const scalar = (json: Json | undefined, kind: Kind): Value => {
  if (json === null || json === undefined) return null
  if (kind === 'number') return typeof json === 'number' || isExactLong(json) ? Number(json) : null
  if (kind === 'boolean') return typeof json === 'boolean' ? json : null
  return typeof json === 'string' ? json : JSON.stringify(json)
}

type Walk = { json: Json | undefined; xpath: string }

const step = (at: Walk, name: string | number): Json | undefined => {
  if (typeof name === 'number') return listOf(at.json)[name]
  return isObject(at.json) ? at.json[name] : undefined
}

/** Numbered wildcards below an unnumbered one are as good as unnumbered. */
const isNumbered = (name: string | number, seenUnnumbered: boolean): boolean =>
  typeof name === 'string' && name.startsWith('*') && name !== '*' && !seenUnnumbered

const walk = (root: Walk, steps: readonly (string | number)[], choice: Choice): Walk[] => {
  let places = [root]
  let seenUnnumbered = false
  for (const name of steps) {
    const isStar = typeof name === 'string' && name.startsWith('*')
    places = places.flatMap((at): Walk[] => {
      const xpath = `${at.xpath}/${name}`
      if (!isStar) return [{ json: step(at, name), xpath }]
      if (isNumbered(name, seenUnnumbered)) return [{ json: choice.get(xpath), xpath }]
      const elements = listOf(at.json)
      return elements.length === 0 ? [{ json: undefined, xpath }] : elements.map((json) => ({ json, xpath }))
    })
    if (isStar && !isNumbered(name, seenUnnumbered)) seenUnnumbered = true
  }
  return places
}

const acesOf = (document: EvaluatedDocument): Json[] => document.aces as unknown as Json[]

type Special = { key: string; root: Json; steps: readonly string[]; kind: Kind }

const ACE_KINDS: { [column: string]: Kind } = {
  principal: 'text',
  permission: 'text',
  grant: 'boolean',
  name: 'text',
  pos: 'number',
  creator: 'text',
  begin: 'date',
  end: 'date',
  status: 'number',
}

/** Tags and local ACLs as lists, so that they are walked like properties. */
const specialList = (name: string, document: EvaluatedDocument): Special | undefined => {
  const tag = /^ecm:tag(?:\/(\*\d*))?$/.exec(name)
  if (tag)
    return {
      key: 'ecm:tag',
      root: document.properties['nxtag:tags'] ?? [],
      steps: [tag[1] ?? '*bare', 'label'],
      kind: 'text',
    }
  const [, star, column] = /^ecm:acl\/(\*\d*)\/(\w+)$/.exec(name) ?? []
  if (star === undefined || column === undefined) return undefined
  return { key: 'ecm:acl', root: acesOf(document), steps: [star, column], kind: ACE_KINDS[column] ?? 'text' }
}

export type Located = {
  key: string
  root: Json | undefined
  steps: readonly (string | number)[]
  kind: Kind
  isList: boolean
}

const COLUMNS: { [name: string]: Kind } = {
  'ecm:uuid': 'text',
  'ecm:parentId': 'text',
  'ecm:name': 'text',
  'ecm:primaryType': 'text',
  'ecm:currentLifeCycleState': 'text',
  'ecm:pos': 'number',
  'ecm:isProxy': 'boolean',
  'ecm:isVersion': 'boolean',
  'ecm:isCheckedInVersion': 'boolean',
  'ecm:isCheckedIn': 'boolean',
  'ecm:isLatestVersion': 'boolean',
  'ecm:isLatestMajorVersion': 'boolean',
  'ecm:versionLabel': 'text',
  'ecm:versionDescription': 'text',
  'ecm:versionCreated': 'date',
  'ecm:versionVersionableId': 'text',
  'ecm:proxyTargetId': 'text',
  'ecm:proxyVersionableId': 'text',
  'ecm:lockOwner': 'text',
  'ecm:lockCreated': 'date',
}

/** Where a reference begins in a document, and the steps from there. */
export const locate = (name: string, document: EvaluatedDocument, model: ContentModel): Located => {
  const column = COLUMNS[name]
  if (column)
    return { key: name, root: document.columns[name] ?? null, steps: [], kind: column, isList: false }
  const special = specialList(name, document)
  if (special) return { ...special, isList: false }
  const resolved = model.resolve(name)
  if (!resolved) throw new Error(`The evaluator does not know ${name}`)
  const { key, steps, field } = resolved
  return {
    key,
    root: document.properties[key],
    steps,
    kind: KINDS[field.type] ?? 'opaque',
    isList: field.isList,
  }
}

/** The numbered wildcards of a reference, outermost first, each with the xpath of its list. */
export const variablesOf = ({
  key,
  steps,
}: Located): { xpath: string; steps: readonly (string | number)[] }[] => {
  const seen: { xpath: string; steps: readonly (string | number)[] }[] = []
  for (const [position, name] of steps.entries()) {
    if (name === '*') break
    if (typeof name === 'string' && name.startsWith('*'))
      seen.push({ xpath: [key, ...steps.slice(0, position + 1)].join('/'), steps: steps.slice(0, position) })
  }
  return seen
}

/** The elements that a numbered wildcard may mean; one of null when there is none. */
export const elementsFor = (
  { root, key }: Located,
  steps: readonly (string | number)[],
  choice: Choice,
): Json[] => {
  const elements = listOf(walk({ json: root, xpath: key }, steps, choice)[0]?.json)
  return elements.length === 0 ? [null] : elements
}

/** The values of a reference under one choice of elements. */
export const valuesOf = (
  reference: Reference,
  { document, model, choice }: { document: EvaluatedDocument; model: ContentModel; choice: Choice },
): Found => {
  const located = locate(reference.name, document, model)
  const places = walk({ json: located.root, xpath: located.key }, located.steps, choice)
  const kind = reference.cast ? 'day' : located.kind
  const value = (json: Json | undefined): Value => {
    const found = scalar(json, located.kind)
    return reference.cast && typeof found === 'string' ? found.slice(0, 10) : found
  }
  const ways = places.map(({ json }) => (located.isList ? listOf(json).map(value) : [value(json)]))
  return { kind, isList: located.isList, ways }
}
