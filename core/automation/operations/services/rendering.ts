import { createBlobValue } from '../../../files/blobs/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  documentsValue,
  documentValue,
  type Operation,
  type OperationContext,
  type Parameters,
  type Value,
} from '../../language/index.js'
import { renderTemplate } from '../../templates/index.js'

const CATEGORY = 'Conversion'

const PARAMETERS = {
  template: {
    names: 'template',
    isCode: true,
    type: 'string',
    isRequired: true,
    description:
      'The template itself, or template:<name> for one that is deployed (extension point templates).',
  },
  type: {
    type: 'string',
    default: 'ftl',
    values: ['ftl', 'mvel'],
    description: 'ftl: FreeMarker; mvel: text with @{expressions}. A deployed template knows its own.',
  },
  filename: { type: 'string', default: 'output.ftl', description: 'Name of the file that it becomes.' },
  mimetype: { type: 'string', default: 'text/xml', description: 'Type of the file that it becomes.' },
} as const satisfies Parameters

/** Those in which every text can be written down without a table of our own. */
const CHARSETS: { readonly [name: string]: BufferEncoding } = {
  'utf-8': 'utf8',
  utf8: 'utf8',
  'utf-16le': 'utf16le',
  'iso-8859-1': 'latin1',
  latin1: 'latin1',
  'us-ascii': 'ascii',
}

const charsetNamed = (name: string): BufferEncoding => {
  const charset = CHARSETS[name.trim().toLowerCase()]
  if (charset === undefined)
    throw fail('badRequest', `charset: '${name}' is not one of UTF-8, UTF-16LE, ISO-8859-1, US-ASCII`)
  return charset
}

const render = async (
  { context, input }: { context: OperationContext; input: Value },
  {
    template,
    type,
    filename,
    mimetype,
    charset = 'UTF-8',
  }: { template: string; type: string; filename: string; mimetype: string; charset?: string },
): Promise<Value> => {
  const encoding = charsetNamed(charset)
  const text = await renderTemplate(context, { template, type, input })
  const stored = await context.services.blobs.write(Buffer.from(text, encoding), { signal: context.signal })
  const blob = createBlobValue({ stored, name: filename, mimeType: mimetype, encoding: charset })
  return { type: 'blob', blob }
}

const renderDocument = defineOperation({
  id: 'Render.Document',
  label: 'Render Document',
  category: CATEGORY,
  description: 'Fills a template from the input document, and gives what it comes to as a file.',
  params: PARAMETERS,
  methods: ({ iterating }) => [
    iterating('document', 'blob', ({ context, input, params }) =>
      render({ context, input: documentValue(input) }, params),
    ),
  ],
})

const renderFeed = defineOperation({
  id: 'Render.DocumentFeed',
  label: 'Render Document Feed',
  category: CATEGORY,
  description: 'Fills one template from all input documents (Documents, This), and gives one file.',
  params: {
    ...PARAMETERS,
    charset: { type: 'string', default: 'UTF-8', description: 'In which the file is written.' },
  },
  methods: ({ method }) => [
    method('documents', 'blob', ({ context, input, params }) =>
      render({ context, input: documentsValue(input) }, params),
    ),
  ],
})

export const renderingOperations: readonly Operation[] = [renderDocument, renderFeed]
