import type { RequestContext } from './environment.js'

/** For what costs work to answer: a page of another site may not have it done in the background. @throws forbidden. */
export const refuseForeignWork = (c: RequestContext): void => {
  const refusal = c.get('refusalOfWork')
  if (refusal) throw refusal
}
