import { EXIT, type ExitCode } from '../failures/index.js'
import type { Watch } from '../runs/index.js'

/** Lets a user log in again for whom too many wrong passwords were sent. */
export const unlockUser = async ({ server, terminal }: Watch, username: string): Promise<ExitCode> => {
  await server.call(`/user/${encodeURIComponent(username)}/@loginAttempts`, { method: 'DELETE' })
  terminal.error(`${username} may log in again`)
  return EXIT.ok
}
