import { randomUUID } from 'node:crypto'
import type { MediaInput } from '../../activities/types.js'
import { mediaKeyOf } from '../../core/content/media/index.js'
import { runAttributes } from '../attributes/index.js'
import type { Temporal } from '../client/index.js'
import { startRun } from './start-run.js'

type Placed = Pick<MediaInput, 'kind' | 'source' | 'repository'>

/** The id of the run that makes one thing of one file, whatever documents have it. */
export const mediaRunIdOf = (work: Placed): string => {
  const place = work.repository === undefined ? '' : `${work.repository}-`
  return `media-${place}${work.kind}-${mediaKeyOf(work)}`
}

/**
 * Starts the run that makes one thing of one file, unless it goes on already.
 *
 * @param work `owner` and `documentId`: who waits for it first, by which operators find it, and in whose turn it is made.
 */
export const startMedia = async (
  temporal: Temporal,
  {
    owner = '',
    documentId,
    ...work
  }: Omit<MediaInput, 'requestId'> & { owner?: string; documentId?: string },
): Promise<void> => {
  const { kind, source } = work
  const requestId = randomUUID()
  await startRun(temporal, {
    workflow: 'media',
    input: { ...work, ...(owner !== '' && { owner }), requestId },
    workflowId: mediaRunIdOf(work),
    reuse: 'afterEnd',
    attributes: runAttributes({ chainId: kind, principal: owner, requestId, documentId }),
    memo: { file: source.name ?? source.digest, kind },
    summary: `${kind} of ${source.name ?? source.digest}`,
  })
}
