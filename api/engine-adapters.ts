import { documentValue } from '../core/automation/language/index.js'
import { chainOfOne } from '../core/automation/planning/index.js'
import type { ConversionJob } from '../core/automation/runs/index.js'
import { createBlobValue } from '../core/files/blobs/index.js'
import { createMediaTasks } from '../storage/postgres/index.js'
import type { AutomationRoutes } from './automation/index.js'
import type { ConversionRoutes } from './conversions/index.js'
import type { Engine } from './engine.js'
import type { AdapterEngine, RestServices } from './rest/index.js'

/** What adapters at `…/@name` of documents do with the engine. */
export const adapterEngine = (
  { platform: { blobs, database } }: RestServices,
  { runtime, conversions, media, workflows }: Engine,
  {
    convert,
    callOn,
    runLarge,
  }: Pick<ConversionRoutes, 'convert'> & Pick<AutomationRoutes, 'callOn' | 'runLarge'>,
): AdapterEngine => ({
  convert,
  media: runtime.media,
  mediaOf: async (documentId) => {
    const tasks = await createMediaTasks(database.sql).of(documentId)
    return Promise.all(
      tasks.map(async (task) => ({
        ...task,
        run: task.state === 'waiting' ? await media.progress(task) : undefined,
      })),
    )
  },
  call: callOn,
  removeLarge: (c, document) => runLarge(c, 'Document.Delete', documentValue(document)),
  businessObjects: runtime.businessObjects,
  renditionTools: (c) => {
    const principal = c.get('principal')
    const own = blobs.ownedBy(principal)
    const converted = async (job: Omit<ConversionJob, 'requestId'>) => {
      const id = await conversions.start({ ...job, requestId: c.get('requestId') }, principal)
      return conversions.result(id, principal)
    }
    return {
      blobs: own,
      chain: async (id, document) => {
        const registry = runtime.chains.latest()
        const called = registry.get(id)
        const workflowId = await workflows.start({
          chain: called.kind === 'chain' ? called.chain : chainOfOne(called.operation, {}),
          request: { input: documentValue(document), params: {}, variables: {} },
          ...{ principal, registry, requestId: c.get('requestId') },
        })
        const { input: output } = await workflows.result(workflowId, principal)
        return output.type === 'blob' ? output.blob : undefined
      },
      kept: runtime.segments().services.keptRenditions,
      signal: c.req.raw.signal,
      store: async (content, described) =>
        createBlobValue({ stored: await own.write(content), ...described }),
      picture: (source, side) => {
        const size = String(side)
        return runtime.conversions.convert({
          source,
          converter: 'pictureToJpeg',
          parameters: { width: size, height: size },
          principal,
        })
      },
      pdf: (source) => converted({ source, type: 'application/pdf', parameters: {} }),
      convert: (source, target) => converted({ source, ...target }),
    }
  },
})
