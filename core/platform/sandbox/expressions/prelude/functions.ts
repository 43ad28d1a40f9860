/**
 * Functions of `Fn`, `Session`, `HTTP` and `BusinessDaysService` that the host answers (reference: automation.md §7); what each answers is said
 * where it is answered.
 */
export const ASKED = {
  Fn: [
    'getPrincipal',
    'getEmail',
    'getEmails',
    'getPrincipalsFromGroup',
    'getEmailsFromGroup',
    'getVocabularyLabel',
    'getNextId',
    'documentExists',
  ],
  Session: [
    'getDocument',
    'exists',
    'query',
    'getChildren',
    'getChild',
    'getParentDocument',
    'getRootDocument',
    'hasPermission',
  ],
  HTTP: ['call', 'get', 'post', 'put', 'delete'],
  BusinessDaysService: ['getLimitDate'],
} as const

/** Functions of `Fn` that need nothing of the host. */
const OWN_FUNCTIONS = [
  ...['htmlEscape', 'escapeHtml', 'nxqlEscape', 'concatenateIntoList', 'concatenateValuesAsNewList'],
  ...['date', 'calendar', 'getPrincipalEmails', 'getLimitDate'],
]

/** All functions of those objects, for checks of their names. */
export const FUNCTION_NAMES: { readonly [name in keyof typeof ASKED]: readonly string[] } = {
  ...ASKED,
  Fn: [...ASKED.Fn, ...OWN_FUNCTIONS],
}

/** Sandbox code: those objects. What needs no host is done here, the rest are host calls. */
export const FUNCTIONS = `
const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const htmlEscape = (value) => text(value).replace(/[&<>"']/g, (char) => HTML[char])
const nxqlEscape = (value) => text(value).replace(/['\\\\]/g, (char) => '\\\\' + char)
const flattened = (values) => values.flatMap((value) => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]))
const toDate = (value) => {
  const date = new Date(isDate(value) ? time(value) : value)
  if (Number.isNaN(date.getTime())) throw new RangeError(JSON.stringify(value) + ' is not a date')
  return date
}
const ASKED = ${JSON.stringify(ASKED)}
const asked = (object) => Object.fromEntries(ASKED[object].map((name) => [name, (...args) => ask(object + '.' + name, args)]))
const BusinessDaysService = Object.freeze(asked('BusinessDaysService'))
const Fn = Object.freeze({
  ...asked('Fn'),
  htmlEscape, escapeHtml: htmlEscape, nxqlEscape,
  concatenateIntoList: (...values) => flattened(values),
  concatenateValuesAsNewList: (...values) => flattened(values),
  date: toDate, calendar: toDate, getLimitDate: BusinessDaysService.getLimitDate,
  getPrincipalEmails: (principals) => flattened([principals]).map(({ email }) => email).filter((email) => email),
})
const HTTP = Object.freeze(asked('HTTP'))
const { freeze: freezeUser, setPrototypeOf: setUserPrototype } = Object
const User = {}
for (const field of ['firstName', 'lastName', 'company', 'email'])
  Object.defineProperty(User, field, { get: () => ask('CurrentUser.' + field, []) })
freezeUser(User)
const userWrapper = (user) => freezeUser(setUserPrototype(user, User))
const readOnlySession = asked('Session')
`
