import type { Principal } from '../../../access/security/index.js'
import type { OperationServices } from './services.js'

const UNLIMITED = { isAllowed: true, refused: 0 }

/**
 * Logs what a user brings about: a number of messages a minute of each, so that nobody fills the disk with them. How many
 * were left out is logged with the next one.
 */
export const logOfUser = (
  services: Pick<OperationServices, 'log' | 'logRate'>,
  { name: principal, isAdministrator }: Principal,
  ...line: Parameters<OperationServices['log']>
): void => {
  const { isAllowed, refused } = isAdministrator ? UNLIMITED : services.logRate.take(principal)
  if (refused > 0) services.log('warn', 'messages of a user were left out', { principal, count: refused })
  if (isAllowed) services.log(...line)
}
