import { createFolder, type FileImport, importFile } from '../../../content/file-manager/index.js'
import { countArchived, importArchive } from '../../../content/import/index.js'
import { getUserWorkspace } from '../../../content/user-workspaces/index.js'
import type { BlobValue, DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import {
  defineOperation,
  documentsValue,
  documentValue,
  type Operation,
  type OperationContext,
} from '../../language/index.js'
import { currentDocument } from '../shared/current-document.js'
import { readChanges } from '../shared/property-input.js'
import { applyChanges } from '../shared/unsaved.js'

const CATEGORY = 'Services'

type RawProperties = { [xpath: string]: PropertyValue }

type Import = Omit<FileImport, 'folder' | 'blob'> & { folder: DocumentRecord; properties?: RawProperties }

/** Documents of an archive that is unpacked where a file is put: such a call is meant to be short. */
const ARCHIVE_DOCUMENTS = 500

const isZip = ({ name, 'mime-type': mimeType }: BlobValue): boolean =>
  mimeType === 'application/zip' || /\.zip$/i.test(name ?? '')

/** An archive of documents becomes those documents, any other file a document of its own. */
const importFileOrArchive = async (
  { session, services, signal }: OperationContext,
  blob: BlobValue,
  options: Omit<FileImport, 'blob'>,
): Promise<DocumentRecord> => {
  if (!isZip(blob) || (await countArchived(services.blobs, blob, 1)) === undefined)
    return importFile(session, services.blobs, { ...options, blob })
  const { root } = await importArchive({ session, blobs: services.blobs }, blob, {
    ...{ target: options.folder, hasAcls: true, signal },
    limits: { documents: ARCHIVE_DOCUMENTS },
    maxBytes: services.limits.fileBytes,
  })
  return root
}

const importOne = async (
  context: OperationContext,
  blob: BlobValue,
  { properties, ...options }: Import,
): Promise<DocumentRecord> => {
  const { session, services, variables } = context
  const document = await importFileOrArchive(context, blob, options)
  if (!properties || Object.keys(properties).length === 0) return document
  const target = { model: session.model, blobs: services.blobs, variables, document }
  const changes = await readChanges(properties, target)
  return applyChanges(session, document, { changes, save: true })
}

const importAll = async (
  context: OperationContext,
  blobs: readonly BlobValue[],
  options: Import,
): Promise<DocumentRecord[]> => {
  const documents: DocumentRecord[] = []
  for (const blob of blobs) {
    throwIfStopped(context.signal)
    documents.push(await importOne(context, blob, options))
  }
  return documents
}

const importOperation = defineOperation({
  id: 'FileManager.Import',
  label: 'Create Document from file',
  category: CATEGORY,
  description: 'Makes a document of each input file in the folder of the context variable currentDocument.',
  params: {
    overwite: {
      type: 'boolean',
      default: false,
      aliases: ['overwrite'],
      description: 'Update the document that has a file of the same name. Spelled as older servers do.',
    },
  },
  methods: ({ method }) => {
    const options = async (context: OperationContext, overwrite: boolean): Promise<Import> => ({
      folder: await currentDocument(context),
      overwrite,
      checksMimeType: true,
    })
    return [
      method('blob', 'document', async ({ context, input, params }) =>
        documentValue(await importOne(context, input, await options(context, params.overwite))),
      ),
      method('bloblist', 'documents', async ({ context, input, params }) =>
        documentsValue(await importAll(context, input, await options(context, params.overwite))),
      ),
    ]
  },
})

const importWithProperties = defineOperation({
  id: 'FileManager.ImportWithProperties',
  label: 'Create Document from file',
  category: CATEGORY,
  description:
    'Makes a document of each input file in the folder of the context variable currentDocument, and sets its properties.',
  params: {
    overwrite: {
      type: 'boolean',
      default: false,
      description: 'Update the document that has a file of the same name.',
    },
    mimeTypeCheck: {
      type: 'boolean',
      default: true,
      description: 'Take the type of a file from its name, before what was sent with it.',
    },
    properties: {
      type: 'properties',
      description: 'Values of properties by xpath.',
      isRequired: true,
      names: 'property',
    },
  },
  methods: ({ method }) => {
    const options = async (
      context: OperationContext,
      {
        overwrite,
        mimeTypeCheck,
        properties,
      }: { overwrite: boolean; mimeTypeCheck: boolean; properties: RawProperties },
    ): Promise<Import> => ({
      folder: await currentDocument(context),
      overwrite,
      checksMimeType: mimeTypeCheck,
      properties,
    })
    return [
      method('blob', 'document', async ({ context, input, params }) =>
        documentValue(await importOne(context, input, await options(context, params))),
      ),
      method('bloblist', 'documents', async ({ context, input, params }) =>
        documentsValue(await importAll(context, input, await options(context, params))),
      ),
    ]
  },
})

const inUserWorkspace = defineOperation({
  id: 'UserWorkspace.CreateDocumentFromBlob',
  label: "Create Document from file in User's workspace",
  category: CATEGORY,
  description: "Makes a document of each input file in the caller's own workspace.",
  params: {},
  methods: ({ method }) => {
    const options = async ({ session }: OperationContext): Promise<Import> => ({
      folder: await getUserWorkspace(session),
      overwrite: false,
      checksMimeType: true,
    })
    return [
      method('blob', 'document', async ({ context, input }) =>
        documentValue(await importOne(context, input, await options(context))),
      ),
      method('bloblist', 'documents', async ({ context, input }) =>
        documentsValue(await importAll(context, input, await options(context))),
      ),
    ]
  },
})

const folder = defineOperation({
  id: 'FileManager.CreateFolder',
  label: 'Create Folder',
  category: CATEGORY,
  description: 'Makes a folder in the input document.',
  params: {
    title: { type: 'string', isRequired: true, description: 'Its title, and its name.' },
    overwrite: {
      type: 'boolean',
      default: false,
      description: 'Take the folder of this title that is already there.',
    },
    properties: { type: 'properties', description: 'Values of properties by xpath.', names: 'property' },
  },
  methods: ({ method }) => [
    method('document', 'document', async ({ context: { session, services, variables }, input, params }) => {
      const { title, overwrite, properties = {} } = params
      const values = await readChanges(properties, {
        model: session.model,
        blobs: services.blobs,
        variables,
        document: { type: 'Folder', facets: [], properties: {} },
      })
      return documentValue(
        await createFolder(session, { parent: input, title, overwrite, properties: values }),
      )
    }),
  ],
})

export const fileManagerOperations: readonly Operation[] = [
  importOperation,
  importWithProperties,
  inUserWorkspace,
  folder,
]
