import { blobAt, blobXpath, getDocument } from '../../../core/content/documents/index.js'
import { bareMimeType } from '../../../core/files/blobs/index.js'
import type { BlobValue, DocumentRecord } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { giveTurn, isTurnOver, piecesOf } from '../../../core/platform/limits/index.js'
import type { RequestContext } from '../../edge/index.js'
import { text } from '../../openapi/index.js'
import { linksOf, noteOf } from '../entities/index.js'
import type { RestServices } from '../rendering/index.js'
import { documentGroup } from '../requests/index.js'
import type { Adapter } from './adapter.js'

const ENTITIES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** In turns with other requests: a note may be as large as a request. */
const escaped = async (text: string): Promise<string> => {
  const parts: string[] = []
  for (const piece of piecesOf(text)) {
    parts.push(piece.replace(/[&<>"]/g, (character) => ENTITIES[character]!))
    if (isTurnOver()) await giveTurn()
  }
  return parts.join('')
}

/** Policy for untrusted HTML: it runs no scripts and fetches only images. */
const CONFINED = "sandbox; default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'"

const page = (body: string): Response =>
  new Response(`<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>${body}</body></html>`, {
    headers: { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Security-Policy': CONFINED },
  })

/** What browsers show by themselves. */
const isShown = (mimeType: string): boolean =>
  /^(?:image|video|audio)\//.test(mimeType) || ['text/plain', 'application/pdf'].includes(mimeType)

export const previewDocs = documentGroup({ tag: 'files' })({
  getPreview: [
    'GET /@preview',
    'A note as a page, any other file by a redirect to a format that browsers show',
    {
      200: text('text/html', 'A page that runs no scripts'),
      303: { description: 'The address of the preview', headers: { Location: 'Address of the preview' } },
    },
  ],
})

/**
 * `@preview`: a note as a page, a file that browsers show by a redirect to it, any other by one to its
 * conversion to HTML (rest-documents.md §7).
 */
export const previewAdapter = ({ platform }: RestServices): Adapter => {
  const addressOf = (c: RequestContext, document: DocumentRecord, blob: BlobValue): string => {
    const { publicUrl } = platform.settings.http
    const { repository } = platform
    const links = linksOf(c, { publicUrl, repository })
    const xpath = blobXpath(document, 'blobholder:0') ?? 'blobholder:0'
    if (isShown(bareMimeType(blob['mime-type'] ?? ''))) return `${links.blob(document.id, xpath)}?inline=true`
    return `${links.document(document.id)}/@blob/${xpath}/@convert?type=text%2Fhtml`
  }
  return {
    name: 'preview',
    methods: {
      GET: async ({ c, ref, rest }) => {
        if (rest !== '') throw fail('notFound', `No such part of the preview: ${rest}`)
        const session = platform.readSession(c.get('principal'))
        const document = await getDocument(session, ref)
        const note = noteOf(document)
        if (note)
          return page(note.mimeType === 'text/html' ? note.text : `<pre>${await escaped(note.text)}</pre>`)
        const blob = blobAt(session.model, document, 'blobholder:0')
        if (!blob) throw fail('notFound', `Document ${document.id} has no preview`)
        return c.redirect(addressOf(c, document, blob), 303)
      },
    },
  }
}
