/**
 * Sandbox code: a document in a script. Its facts are asked for when the first one is read, with those of the
 * documents that were passed after it, so that a loop over a list is a few questions. Many scripts read no more than
 * names and paths: the rest is sent once a script has asked for it. Properties that are assigned are sent with
 * the next call, and are the document's own again when they come back.
 */
export const DOCUMENTS = `
const wrappers = new Map()
const states = new WeakMap()
const changed = new Set()
const prefetched = new Map()

const takeChanges = () => {
  const changes = [...changed].map((state) => [state.wrapper, Object.fromEntries(state.changes)])
  changed.clear()
  return changes
}

const ask = (question, args) => {
  const { v, e, s, f } = JSON.parse(host(question, encode(changed.size === 0 ? { args } : { args, changes: takeChanges() })))
  for (const index of s ?? []) forget(index)
  for (const [index, facts] of f ?? []) prefetched.set(index, facts)
  if (e === undefined) return revived(v)
  const error = new Error(e.message)
  error.name = e.name
  error.status = e.status
  hostErrors.set(error, e.id)
  throw error
}
const hostErrors = new WeakMap()

const forget = (index) => {
  prefetched.delete(index)
  const wrapper = wrappers.get(index)
  const state = wrapper && states.get(wrapper)
  if (!state) return
  state.facts = undefined
  state.changes.clear()
}

const fetchFacts = (state, isWhole) => {
  for (const [index, facts] of ask('facts', [state.wrapper, isWhole])) prefetched.set(index, facts)
}
const prefetchedOf = (state) => {
  const facts = prefetched.get(state.index)
  prefetched.delete(state.index)
  return facts
}

const coreOf = (state) => {
  if (state.facts === undefined) {
    if (!prefetched.has(state.index)) fetchFacts(state, false)
    state.facts = prefetchedOf(state)
  }
  return state.facts.core
}

/** Its JSON is read by the first script that asks for one. */
const restOf = (state) => {
  if (state.facts?.rest === undefined) {
    if (prefetched.get(state.index)?.rest === undefined) fetchFacts(state, true)
    state.facts = prefetchedOf(state)
  }
  const { facts } = state
  if (typeof facts.rest === 'string') {
    facts.rest = JSON.parse(facts.rest)
    facts.rest.properties = revived(facts.rest.properties)
  }
  return facts.rest
}

const isXpath = (name) => name.includes(':') || name.includes('/')
const GETTERS = { isFolder: 'isFolder', isLocked: 'isLocked', isProxy: 'isProxy', isVersion: 'isVersion', isImmutable: 'isImmutable' }
const BEANS = { folder: 'isFolder', locked: 'isLocked', proxy: 'isProxy', version: 'isVersion', immutable: 'isImmutable',
  ref: 'id', state: 'lifeCycle', currentLifeCycleState: 'lifeCycle', pathAsString: 'path' }
const RELATIVES = new Set(['parent', 'workspace', 'domain'])

const readDocument = (state, key) => {
  if (state.changes.has(key)) return state.changes.get(key)
  if (isXpath(key)) {
    const { properties } = restOf(state)
    return Object.hasOwn(properties, key) ? properties[key] : ask('property', [state.wrapper, key])
  }
  const name = Object.hasOwn(BEANS, key) ? BEANS[key] : key
  if (name === 'title') return readDocument(state, 'dc:title') ?? coreOf(state).name
  if (name === 'description') return readDocument(state, 'dc:description')
  const core = coreOf(state)
  if (Object.hasOwn(core, name)) return core[name]
  const { more, properties } = restOf(state)
  if (Object.hasOwn(more, name)) return more[name]
  return Object.hasOwn(properties, name) ? properties[name] : null
}

const writeDocument = (state, name, value) => {
  if (!isXpath(name)) throw new TypeError('only properties of a document can be set, by their prefixed names: ' + name)
  encode(value)
  state.changes.set(name, value === undefined ? null : value)
  changed.add(state)
}

const beanName = (key) => key[3].toLowerCase() + key.slice(4)
const isGetter = (key) => key.length > 3 && key.startsWith('get') && key[3] >= 'A' && key[3] <= 'Z'

const METHODS_OF_DOCUMENTS = {
  hasFacet: (state) => (facet) => readDocument(state, 'facets').includes(facet),
  hasSchema: (state) => (schema) => readDocument(state, 'schemas').includes(schema),
  getPropertyValue: (state) => (xpath) => readDocument(state, String(xpath)),
  setPropertyValue: (state) => (xpath, value) => writeDocument(state, String(xpath), value),
  getParent: (state) => (type) => ask('document.parent', [state.wrapper, type]),
  resolvePath: (state) => (path) => ask('document.resolvePath', [state.wrapper, path]),
  resolvePathAsRef: (state) => (path) => ask('document.resolvePathAsRef', [state.wrapper, path]),
  toString: (state) => () => readDocument(state, 'id'),
  equals: (state) => (other) => isDocument(other) && readDocument(state, 'id') === other.id,
}

const documentWrapper = (index) => {
  const known = wrappers.get(index)
  if (known !== undefined) return known
  const state = { index, wrapper: undefined, facts: undefined, changes: new Map() }
  const get = (_, key) => {
    if (typeof key === 'symbol') return key === Symbol.toPrimitive ? () => readDocument(state, 'id') : Object.prototype[key]
    if (Object.hasOwn(METHODS_OF_DOCUMENTS, key)) return METHODS_OF_DOCUMENTS[key](state)
    if (Object.hasOwn(GETTERS, key)) return () => restOf(state).more[key]
    if (RELATIVES.has(key)) return ask('document.' + key, [state.wrapper])
    return isGetter(key) ? () => get(_, beanName(key)) : readDocument(state, key)
  }
  const set = (_, key, value) => { writeDocument(state, String(key), value); return true }
  const refuse = () => { throw new TypeError('a property of a document is cleared by assigning null') }
  state.wrapper = new Proxy(emptyTarget, {
    get, set, deleteProperty: refuse, defineProperty: refuse,
    has: (_, key) => typeof key === 'string' && get(_, key) !== null,
  })
  documents.set(state.wrapper, index)
  states.set(state.wrapper, state)
  wrappers.set(index, state.wrapper)
  return state.wrapper
}

const blobWrapper = ({ v, name, mimeType, length, digest }) => {
  const wrapper = Object.freeze({
    name, filename: name, mimeType, length, digest,
    getFilename: () => name, getMimeType: () => mimeType, getLength: () => length, getDigest: () => digest,
    getString: () => ask('blob.text', [wrapper]), toString: () => String(name),
  })
  blobs.set(wrapper, v)
  return wrapper
}

const reset = () => {
  wrappers.clear()
  changed.clear()
  prefetched.clear()
}
`
