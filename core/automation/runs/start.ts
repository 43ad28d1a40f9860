import type { Plan, RunOrder } from '../planning/index.js'
import { digest } from './ids/digest.js'

/** What must be the same for a key to mean the same call. */
export const fingerprintOf = (
  { chain, request }: Pick<RunOrder, 'chain' | 'request'>,
  repository: string | undefined,
): string => digest([chain.id, request, ...(repository === undefined ? [] : [repository])])

/** Whether a run consists of one segment: it has its result as soon as that commits. */
export const isOneSegment = ({ nodes: [only, second] }: Plan): boolean =>
  only?.kind === 'segment' && !only.isSlow && second === undefined

/** The input document of a chain, as its caller named it. */
export const documentOf = ({ request: { input } }: Pick<RunOrder, 'request'>): string | undefined =>
  input.type === 'document' ? input.id : undefined
