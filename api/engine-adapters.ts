import { createBlobValue } from '../core/files/blobs/index.js'
import type { AutomationRoutes } from './automation/index.js'
import type { ConversionRoutes } from './conversions/index.js'
import type { Engine } from './engine.js'
import type { AdapterEngine, RestServices } from './rest/index.js'

/** What adapters at `…/@name` of documents do with the engine. */
export const adapterEngine = (
  { platform: { blobs } }: RestServices,
  { runtime, conversions }: Engine,
  { convert, callOn }: Pick<ConversionRoutes, 'convert'> & Pick<AutomationRoutes, 'callOn'>,
): AdapterEngine => ({
  convert,
  media: runtime.media,
  call: callOn,
  businessObjects: runtime.businessObjects,
  renditionTools: (c) => {
    const principal = c.get('principal')
    const own = blobs.ownedBy(principal)
    return {
      blobs: own,
      signal: c.req.raw.signal,
      store: async (text, described) =>
        createBlobValue({ stored: await own.write(Buffer.from(text)), ...described }),
      picture: (source, side) => {
        const size = String(side)
        return runtime.conversions.convert({
          source,
          converter: 'pictureToJpeg',
          parameters: { width: size, height: size },
          principal,
        })
      },
      pdf: async (source) => {
        const job = { source, type: 'application/pdf', parameters: {}, requestId: c.get('requestId') }
        return conversions.result(await conversions.start(job, principal), principal)
      },
    }
  },
})
