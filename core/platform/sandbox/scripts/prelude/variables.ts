/**
 * Sandbox code: context variables in a script. A list or map that a variable has is the script's own copy, and watched:
 * once the script has changed it in place, it is set again before an operation is called, and at the end.
 */
export const VARIABLES = `
let heldVariables = new Map()

const isContainer = (value) =>
  Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype && !blobs.has(value))

const watched = (value, held) => {
  if (!isContainer(value)) return value
  const known = held.proxies.get(value)
  if (known !== undefined) return known
  const changing = (change) => (...args) => { held.isChanged = true; return change(...args) }
  const proxy = new Proxy(value, {
    get: (target, key) => watched(target[key], held),
    set: changing((target, key, given) => setProperty(target, key, given)),
    deleteProperty: changing(deleteProperty),
    defineProperty: changing(defineProperty),
  })
  held.proxies.set(value, proxy)
  return proxy
}

const holdVariable = (name, value) => {
  heldVariables.delete(name)
  if (!isContainer(value)) return value
  const held = { value, proxy: undefined, proxies: new WeakMap(), isChanged: false, isCurrent: true }
  held.proxy = watched(value, held)
  heldVariables.set(name, held)
  return held.proxy
}

const setChangedVariables = () => {
  for (const [name, held] of heldVariables) {
    if (!held.isChanged) continue
    held.isChanged = false
    ask('ctx.set', [name, held.value])
  }
}

/** What an operation has left as it was stays the list that the script has, and may go on changing. */
const readVariable = (name) => {
  const held = heldVariables.get(name)
  if (held?.isCurrent) return held.proxy
  setChangedVariables()
  const value = ask('ctx.get', [name])
  if (held === undefined || encode(value) !== encode(held.value)) return holdVariable(name, value)
  held.isCurrent = true
  return held.proxy
}

const setVariable = (name, value) => {
  if (heldVariables.get(name)?.proxy !== value) heldVariables.delete(name)
  return ask('ctx.set', [name, value])
}

const withVariables = (work) => {
  const outer = heldVariables
  heldVariables = new Map()
  try {
    return work()
  } finally {
    heldVariables = outer
  }
}

const callOperation = (id, input, params) => {
  setChangedVariables()
  try {
    return ask('op', [id, input, params])
  } finally {
    for (const held of heldVariables.values()) held.isCurrent = false
  }
}
`
