import { contentTypeOf, createBlobValue, exportBlob, isMimeType } from '../../../files/blobs/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation, VOID } from '../../language/index.js'

/** The last part of an address, as a file would be called; `download` when there is none. */
const nameIn = (address: string): string => {
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || 'download'
  } catch {
    // A name that is not percent-encoded UTF-8 is a name all the same.
    return last
  }
}

const createFromUrl = defineOperation({
  id: 'Blob.CreateFromURL',
  aliases: ['Blob.Create'],
  label: 'File From URL',
  category: 'Fetch',
  description: 'Fetches a file from another server, one that the deployment allows.',
  isSlow: true,
  isAdministrative: true,
  params: {
    file: { type: 'resource', isRequired: true, description: 'An http or https address.' },
    'mime-type': { type: 'string', description: "The server's when absent." },
    filename: { type: 'string', description: 'The last part of the address when absent.' },
    encoding: { type: 'string', description: 'Character encoding of the file.' },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { services, signal }, params }) => {
      const { file, filename, encoding } = params
      if (!URL.canParse(file)) throw fail('badRequest', `file: '${file}' is no address`)
      if (new URL(file).protocol === 'ftp:') throw fail('notSupported', 'file: nothing is fetched by FTP')
      if (!/^https?:/i.test(file)) return VOID
      return services.http({ method: 'GET', url: file, signal }, async ({ status, headers, body }) => {
        if (status !== 200) throw fail('operationFailed', `file: ${file} answers with status ${status}`)
        const stored = await services.blobs.write(body, { signal, maxLength: services.limits.fileBytes })
        const given = params['mime-type'] ?? headers['content-type']?.split(';')[0]
        const mimeType = given && isMimeType(given) ? given : undefined
        return {
          type: 'blob',
          blob: createBlobValue({ stored, name: filename || nameIn(file), mimeType, encoding }),
        }
      })
    }),
  ],
})

const postToUrl = defineOperation({
  id: 'Blob.PostToURL',
  aliases: ['Blob.Post'],
  label: 'HTTP Post',
  category: 'Files',
  description: 'Posts the input file to another server, one that the deployment allows, and passes it on.',
  isSlow: true,
  isAdministrative: true,
  params: { url: { type: 'string', isRequired: true, description: 'An http or https address.' } },
  methods: ({ iterating }) => [
    iterating('blob', 'blob', async ({ context: { services, signal }, input, params: { url } }) => {
      const headers = { 'content-type': contentTypeOf(input), 'content-length': String(input.length) }
      const body = () => services.blobs.open(input)
      await services.http({ method: 'POST', url, headers, body, signal }, async ({ status }) => {
        if (status < 200 || status > 299)
          throw fail('operationFailed', `url: ${url} answers with status ${status}`)
      })
      return { type: 'blob', blob: input }
    }),
  ],
})

const exportToFs = defineOperation({
  id: 'Blob.ExportToFS',
  aliases: ['Blob.ToFile'],
  label: 'Export to File',
  category: 'Files',
  description: 'Writes the input file below the folder of the server that the deployment sets for it.',
  isSlow: true,
  isAdministrative: true,
  params: {
    directory: { type: 'string', isRequired: true, description: 'In the folder for exports.' },
    prefix: { type: 'string', description: 'Stands before the name of the file.' },
  },
  methods: ({ iterating }) => [
    iterating('blob', 'blob', async ({ context: { services, signal }, input, params }) => {
      if (services.dryRun) throw fail('badRequest', 'directory: a dry run writes no files')
      const root = services.limits.exportFolder
      if (!root)
        throw fail('notSupported', 'directory: this server exports no files; set ARCHIVOLT_EXPORT_FOLDER')
      await exportBlob(services.blobs, input, { root, ...params, signal })
      return { type: 'blob', blob: input }
    }),
  ],
})

export const blobTransferOperations: readonly Operation[] = [createFromUrl, postToUrl, exportToFs]
