import type { Principal } from '../../access/security/index.js'
import { fail } from '../../platform/errors/index.js'

/** The message for a run that does not exist or belongs to another user, whose existence is not disclosed. */
export const noRun = (id: string): string => `There is no run '${id}'`

/** Whether a principal may see a run: the user for whom it acts, and administrators. */
export const maySee = (principal: Principal, owner: string | undefined): boolean =>
  principal.isAdministrator || owner === principal.name

/** @throws notFound for a run of another user. */
export const requireVisible = (
  run: { id: string; owner: string | undefined },
  principal: Principal,
): void => {
  if (!maySee(principal, run.owner)) throw fail('notFound', noRun(run.id))
}
