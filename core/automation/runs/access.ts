import type { Principal } from '../../access/security/index.js'
import { fail } from '../../platform/errors/index.js'

/** What a caller learns of a run that is not there, and of one of somebody else: that it exists is not disclosed. */
export const noRun = (id: string): string => `There is no run '${id}'`

/** Whether somebody may see a run: whoever it acts for, and administrators. */
export const maySee = (principal: Principal, owner: string | undefined): boolean =>
  principal.isAdministrator || owner === principal.name

/** @throws notFound for a run of somebody else. */
export const requireVisible = (
  run: { id: string; owner: string | undefined },
  principal: Principal,
): void => {
  if (!maySee(principal, run.owner)) throw fail('notFound', noRun(run.id))
}
