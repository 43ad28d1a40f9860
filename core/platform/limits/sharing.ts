import type { FairSemaphore } from './fair-semaphore.js'

/** Runs the work of somebody in its turn. */
export type Sharing = <Result>(
  owner: { readonly name: string; readonly isAdministrator: boolean },
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * Has users share the places of a semaphore; administrators and the product itself take what they need.
 *
 * @param refusal of work that no place was found for in time.
 */
export const createSharing =
  (semaphore: FairSemaphore, refusal: (owner: string) => Error): Sharing =>
  ({ name, isAdministrator }, work) =>
    isAdministrator ? work() : semaphore.within(name, work, refusal)
