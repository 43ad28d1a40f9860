/**
 * Sandbox code: a document in an expression. It asks the host for each property and relative; it has no other
 * tie to the host. `getTitle()` is the same as `title`, as callers of Java beans write it.
 */
export const DOCUMENTS = `
const wrappers = []
const RELATIVES = new Set(['parent', 'workspace', 'domain'])
const BEANS = Object.freeze({ folder: 'isFolder', locked: 'isLocked', proxy: 'isProxy', version: 'isVersion', immutable: 'isImmutable',
  currentLifeCycleState: 'lifeCycle', pathAsString: 'path' })
const beanName = (key) => key[3].toLowerCase() + key.slice(4)
const isGetter = (key) => key.length > 3 && key.startsWith('get') && key[3] >= 'A' && key[3] <= 'Z'

const documentWrapper = (index) => {
  if (wrappers[index] !== undefined) return wrappers[index]
  const read = (property) => host('document', index, Object.hasOwn(BEANS, property) ? BEANS[property] : property)
  const get = (_, key) => {
    if (typeof key === 'symbol') return key === Symbol.toPrimitive ? () => read('id') : Object.prototype[key]
    if (key === 'hasFacet') return (facet) => read('facets').includes(facet)
    if (key === 'hasSchema') return (schema) => read('schemas').includes(schema)
    if (key === 'getPropertyValue') return (property) => read(String(property))
    if (key === 'toString') return () => read('id')
    if (key === 'getParent') return (type) => ask('document.parent', [wrapper, type])
    if (key === 'resolvePath' || key === 'resolvePathAsRef') return (path) => ask('document.' + key, [wrapper, path])
    if (RELATIVES.has(key)) return ask('document.' + key, [wrapper])
    return isGetter(key) ? () => get(_, beanName(key)) : read(key)
  }
  const refuse = () => { throw new TypeError('documents are read-only in an expression') }
  const wrapper = new Proxy(emptyTarget, { get, set: refuse, deleteProperty: refuse, defineProperty: refuse })
  documents.set(wrapper, index)
  return (wrappers[index] = wrapper)
}

const blobWrapper = (value) => value
const ask = (question, args) => host('ask', 0, encode([question, ...args]))
const beginEvaluation = () => { wrappers.length = 0 }
`
