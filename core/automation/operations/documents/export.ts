import { readableXml, storeArchive } from '../../../content/export/index.js'
import { type RenditionTools, renderByName } from '../../../content/renditions/index.js'
import { createBlobValue } from '../../../files/blobs/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation, type OperationContext } from '../../language/index.js'

const exportDocument = defineOperation({
  id: 'Document.Export',
  label: 'Document Export',
  category: 'Files',
  description: 'Gives the input document as XML, or as a zip archive with its files, or with all below it.',
  isSlow: true,
  params: {
    exportAsTree: {
      type: 'boolean',
      default: false,
      description: 'With all below it that the caller may read.',
    },
    exportAsZip: { type: 'boolean', default: false, description: 'With its files.' },
  },
  methods: ({ method }) => [
    method('document', 'blob', async ({ context: { session, services, signal }, input, params }) => {
      const { blobs } = services
      if (!params.exportAsTree && !params.exportAsZip) {
        const stored = await blobs.write(await readableXml(session, input))
        return { type: 'blob', blob: createBlobValue({ stored, name: 'document.xml', mimeType: 'text/xml' }) }
      }
      const stores = { session, blobs, signal }
      return { type: 'blob', blob: await storeArchive(stores, input, { isTree: params.exportAsTree }) }
    }),
  ],
})

const toolsOf = ({ services, session: { principal }, signal }: OperationContext): RenditionTools => ({
  blobs: services.blobs,
  chain: async (id) => {
    throw fail('invalid', `renditionName: what the chain '${id}' makes is fetched at @rendition`)
  },
  kept: services.keptRenditions,
  signal,
  store: async (content, described) =>
    createBlobValue({ stored: await services.blobs.write(content), ...described }),
  picture: (source, side) => {
    const size = String(side)
    const parameters = { width: size, height: size }
    return services.convert({ source, converter: 'pictureToJpeg', parameters, signal, principal })
  },
  pdf: (source) => services.convert({ source, type: 'application/pdf', signal, principal }),
  convert: (source, target) => services.convert({ source, ...target, signal, principal }),
})

const getRendition = defineOperation({
  id: 'Document.GetRendition',
  label: 'Gets a document rendition',
  category: 'Files',
  description: 'Gives the input document in another form, e.g. as PDF.',
  isSlow: true,
  params: {
    renditionName: {
      type: 'string',
      description: 'Name of the rendition.',
      isRequired: true,
      values: ['thumbnail', 'mainBlob', 'pdf', 'xmlExport', 'zipExport', 'zipTreeExport'],
    },
  },
  methods: ({ iterating }) => [
    iterating('document', 'blob', async ({ context, input: document, params: { renditionName } }) => {
      const { session } = context
      const rendered = await renderByName(renditionName, { session, document, tools: toolsOf(context) })
      if (!rendered)
        throw fail('notFound', `renditionName: document ${document.id} has no rendition '${renditionName}'`)
      return { type: 'blob', blob: rendered.blob }
    }),
  ],
})

export const documentExportOperations: readonly Operation[] = [exportDocument, getRendition]
