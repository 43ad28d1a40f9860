import { z } from 'zod'
import { blobAt, blobXpath, getDocument, type Session } from '../../../core/content/documents/index.js'
import { requireDownload } from '../../../core/content/download-permissions/index.js'
import type { BlobValue, DocumentRef } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { sendBlob } from '../../download/index.js'
import { downloadable } from '../../openapi/index.js'
import { parseQuery } from '../../parse/index.js'
import { addWarnings, unknownQueryParameters } from '../../warnings/index.js'
import type { RestServices } from '../rendering/index.js'
import { documentGroup } from '../requests/index.js'
import type { Adapter, AdapterEngine } from './adapter.js'

const BLANK: readonly string[] = ['', 'null', 'default']

const query = z.object({
  xpath: z.string().optional().describe('Where both pictures are; default the main file'),
  commandLine: z.string().optional().describe('A deployed command line; default diff-pictures-default'),
  fuzz: z.string().optional().describe('A number or per cent that colours may differ by; default 0'),
  highlightColor: z.string().optional().describe('Of what differs; default Red'),
  lowlightColor: z.string().optional().describe('Of what is the same; default None'),
  targetFileName: z.string().optional().describe('Name of the result; its extension is the format'),
})

const path = { other: 'Id of the document with the other picture' }

export const comparePicturesDocs = documentGroup({ tag: 'files', path })({
  comparePictures: [
    'GET /@comparePictures/{other}',
    'The difference of two pictures of the same format and size, as a picture',
    {
      query,
      description: 'X-Differing-Pixels says how many pixels differ by more than the fuzz.',
      ...downloadable('The picture', 415, 422, 429),
      warns: true,
    },
  ],
})

const pictureOf = async (
  session: Session,
  ref: DocumentRef,
  asked: string | undefined,
): Promise<BlobValue> => {
  const document = await getDocument(session, ref)
  const place = BLANK.includes(asked?.trim().toLowerCase() ?? '') ? 'blobholder:0' : (asked ?? '').trim()
  const blob = blobAt(session.model, document, place)
  if (!blob) throw fail('badRequest', `xpath: document ${document.id} has no file at ${place}`)
  const xpath = blobXpath(document, place) ?? place
  await requireDownload(session, { document, blob, xpath, reason: 'conversion' })
  return blob
}

/** `@comparePictures/{id}`: the difference of two documents' pictures (interface specification, picture comparison). */
export const comparePicturesAdapter = (
  { platform }: RestServices,
  { media }: Pick<AdapterEngine, 'media'>,
): Adapter => ({
  name: 'comparePictures',
  isCostly: true,
  methods: {
    GET: async ({ c, ref, rest }) => {
      const { xpath, commandLine, ...parameters } = parseQuery(c, query)
      const known = Object.keys(query.shape)
      const warnings = unknownQueryParameters(c, { of: '@comparePictures', known })
      const principal = c.get('principal')
      const session = platform.readSession(principal)
      const left = await pictureOf(session, ref, xpath)
      const right = await pictureOf(session, rest, xpath)
      const signal = c.req.raw.signal
      const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))
      const { blob, differingPixels } = await media.comparePictures({
        ...{ left, right, commandLine, principal, signal },
        parameters: given as Record<string, string>,
      })
      const response = await sendBlob(c, { blobs: platform.blobs, blob })
      if (differingPixels !== null) response.headers.set('X-Differing-Pixels', String(differingPixels))
      return addWarnings(response, warnings)
    },
  },
})
