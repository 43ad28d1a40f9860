import type { Platform } from '../../runtime/index.js'
import { basicScheme } from './basic.js'
import type { AuthenticationScheme } from './scheme.js'

/** The authentication schemes, in the order in which they are tried. A new one is a file and a line here. */
export const authenticationSchemes = ({
  authenticator,
  settings,
}: Pick<Platform, 'authenticator' | 'settings'>): readonly AuthenticationScheme[] => [
  basicScheme(authenticator, settings.http),
]
