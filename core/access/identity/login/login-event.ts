import type { CoreEvent } from '../../../platform/events/index.js'

export type LoginEvent = 'loginSuccess' | 'loginFailed'

const OUTCOMES: { readonly [event in LoginEvent]: string } = {
  loginSuccess: 'successfully logged in',
  loginFailed: 'failed to authenticate',
}

/** The event of a login with a password, as the audit knows it (workflow-audit.md §6). */
export const loginEvent = (name: string, event: LoginEvent): CoreEvent => ({
  event,
  documentId: null,
  payload: {
    category: 'NuxeoAuthentication',
    comment: `${name} ${OUTCOMES[event]} using Basic Authentication`,
  },
})
