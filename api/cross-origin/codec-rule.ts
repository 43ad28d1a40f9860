import type { CorsRule } from '../../core/access/cross-origin/index.js'
import { API } from '../edge/index.js'

const CODEC = `${API}/codec/`

/**
 * What lets the Temporal UI ask for payloads that it cannot read (`api/codec`), with the credentials that the browser
 * has for this server.
 *
 * @returns the rule about a path as it is routed; undefined for any other path, or without an address of the UI.
 */
export const codecRuleOf = (uiUrl: string | undefined): ((routed: string) => CorsRule | undefined) => {
  if (uiUrl === undefined) return () => undefined
  const { origin: ui } = new URL(uiUrl)
  const rule: CorsRule = {
    name: 'ARCHIVOLT_TEMPORAL_UI',
    allows: (origin) => origin === ui,
    methods: ['POST'],
    headers: undefined,
    exposedHeaders: [],
    supportsCredentials: true,
    maxAge: -1,
    allowGenericHttpRequests: true,
  }
  return (routed) => (routed.startsWith(CODEC) ? rule : undefined)
}
