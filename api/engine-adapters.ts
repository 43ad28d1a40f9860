import { createBlobValue } from '../core/files/blobs/index.js'
import type { AutomationRoutes } from './automation/index.js'
import type { ConversionRoutes } from './conversions/index.js'
import type { Engine } from './engine.js'
import {
  type Adapter,
  businessAdapter,
  convertAdapter,
  operationAdapter,
  type RestServices,
  renditionAdapter,
} from './rest/index.js'
import { pageProviderAdapter } from './search/index.js'

/** Adapters at `…/@name` of documents that need the engine. */
export const engineAdapters = (
  rest: RestServices,
  engine: Engine,
  { convert, callOn }: Pick<ConversionRoutes, 'convert'> & Pick<AutomationRoutes, 'callOn'>,
): readonly Adapter[] => {
  return [
    convertAdapter(rest, convert),
    businessAdapter(rest, engine.runtime.businessObjects),
    operationAdapter(rest, callOn),
    renditionAdapter(rest, (c) => {
      const owner = c.get('principal')
      const blobs = rest.platform.blobs.ownedBy(owner)
      return {
        blobs,
        signal: c.req.raw.signal,
        store: async (text, described) =>
          createBlobValue({ stored: await blobs.write(Buffer.from(text)), ...described }),
        picture: (source, side) => {
          const size = String(side)
          return engine.runtime.conversions.convert({
            source,
            owner,
            converter: 'pictureToJpeg',
            parameters: { width: size, height: size },
          })
        },
        pdf: async (source) => {
          const job = { source, type: 'application/pdf', parameters: {}, requestId: c.get('requestId') }
          return engine.conversions.result(await engine.conversions.start(job, owner))
        },
      }
    }),
    pageProviderAdapter(rest),
  ]
}
