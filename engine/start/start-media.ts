import { randomUUID } from 'node:crypto'
import type { MediaInput } from '../../activities/types.js'
import { mediaKeyOf } from '../../core/content/media/index.js'
import type { Temporal } from '../client/index.js'
import { startRun } from './start-run.js'

/** Starts the run that makes one thing of one file, unless it goes on already. */
export const startMedia = async (temporal: Temporal, work: Omit<MediaInput, 'requestId'>): Promise<void> => {
  const { kind, source, repository } = work
  const place = repository === undefined ? '' : `${repository}-`
  await startRun(temporal, {
    workflow: 'media',
    input: { ...work, requestId: randomUUID() },
    workflowId: `media-${place}${kind}-${mediaKeyOf(work)}`,
    reuse: 'afterEnd',
    memo: { file: source.name ?? source.digest, kind },
    summary: `${kind} of ${source.name ?? source.digest}`,
  })
}
