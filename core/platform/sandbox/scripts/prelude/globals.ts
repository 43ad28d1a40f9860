/** Sandbox code: what a script finds under a name (reference: automation.md §10), and the habits of Java lists and texts. */
export const GLOBALS = `
const shown = (value) => (typeof value === 'string' ? value : value === null ? 'null' : value === undefined ? 'undefined' : text(value))
const consoleLevel = (level) => (...values) => { ask('log', [level, values.map(shown).join(' ')]) }
const Console = Object.freeze({
  log: consoleLevel('info'), info: consoleLevel('info'), warn: consoleLevel('warn'), error: consoleLevel('error'),
  debug: consoleLevel('debug'), trace: consoleLevel('debug'),
})

const ctx = new Proxy(emptyTarget, {
  get: (_, key) => {
    if (typeof key === 'symbol') return Object.prototype[key]
    if (key === 'get') return (name) => readVariable(String(name))
    if (key === 'put') return (name, value) => setVariable(String(name), value)
    if (key === 'containsKey') return (name) => ask('ctx.has', [String(name)])
    if (key === 'remove') return (name) => setVariable(String(name), null)
    return readVariable(key)
  },
  set: (_, key, value) => { setVariable(String(key), value); return true },
  deleteProperty: (_, key) => { setVariable(String(key), null); return true },
  has: (_, key) => typeof key === 'string' && ask('ctx.has', [key]),
})

const operation = (id) => (input, params) => callOperation(id, input, params)
// The last unknown member of a family: the script then fails because it is no function.
const unknown = { name: undefined }
const membersUnknownTo = (family) => new Proxy(Object.prototype, {
  get: (target, key) => {
    if (typeof key === 'string' && !(key in target)) unknown.name = family + '.' + key
    return target[key]
  },
})
const namespace = (family, members) => Object.freeze(Object.assign(Object.create(membersUnknownTo(family)),
  Object.fromEntries(members.map(([member, id]) => [member, Object.freeze(operation(id))]))))

const Session = Object.freeze({
  ...readOnlySession,
  saveDocument: operation('Document.Save'),
  removeDocument: operation('Document.Delete'),
  save: () => null,
  getPrincipal: () => userWrapper(ask('user', [])),
  getRepositoryName: () => ask('repository', []),
})

const GIVEN = {
  ctx: () => ctx, Context: () => ctx, Session: () => Session, Fn: () => Fn, HTTP: () => HTTP, Console: () => Console,
  BusinessDaysService: () => BusinessDaysService,
  Env: () => Env,
  CurrentUser: () => userWrapper(ask('user', [])), currentUser: () => userWrapper(ask('user', [])),
  CurrentDate: ({ now }) => dateWrapper(now),
  WorkflowVariables: () => ask('ctx.get', ['WorkflowVariables']), NodeVariables: () => ask('ctx.get', ['NodeVariables']),
  ${'$mvel'}: () => helpers,
}

const additions = (prototype, methods) => {
  for (const [name, value] of Object.entries(methods))
    if (!(name in prototype)) Object.defineProperty(prototype, name, { value, configurable: true, writable: true })
}
additions(Array.prototype, {
  size() { return this.length },
  isEmpty() { return this.length === 0 },
  get(index) { return this[index] },
  contains(item) { return this.some((entry) => equal(entry, item)) },
  add(item) { this.push(item); return true },
  addAll(items) { this.push(...items); return items.length > 0 },
})
additions(String.prototype, {
  equals(other) { return String(this) === other },
  equalsIgnoreCase(other) { return typeof other === 'string' && this.toLowerCase() === other.toLowerCase() },
  isEmpty() { return this.length === 0 },
  contains(part) { return this.includes(part) },
  matches(pattern) { return wholeMatch(String(this), pattern) },
})
additions(Date.prototype, { getTimeInMillis() { return this.getTime() } })
`
