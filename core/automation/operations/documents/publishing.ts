import {
  createLiveProxy,
  getSourceDocument,
  publishDocument,
  removeProxies,
  unpublishAll,
} from '../../../content/publishing/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { throwIfStopped } from '../../../platform/limits/index.js'
import {
  defineOperation,
  documentsValue,
  documentValue,
  type Operation,
  type Parameter,
  VOID,
} from '../../language/index.js'
import { SAVE } from '../shared/parameters.js'
import { saveUnsaved } from '../shared/unsaved.js'

const CATEGORY = 'Document'

const OVERRIDE = {
  type: 'boolean',
  default: true,
  description: 'Point the proxy that is there already to the new version, instead of making another one.',
} as const satisfies Parameter

/** Publications of one call: each takes up to ten milliseconds, and emits three events. */
const MAX_PUBLICATIONS = 1_000

const publish = defineOperation({
  id: 'Document.PublishToSection',
  aliases: ['Document.Publish'],
  label: 'Publish Document',
  category: CATEGORY,
  description: 'Shows the input document, as it is now, in a section; gives the proxy there.',
  params: {
    target: { type: 'document', description: 'The section in which it is published.', isRequired: true },
    override: OVERRIDE,
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) =>
      documentValue(
        await publishDocument(session, await saveUnsaved(session, input), {
          target: params.target.id,
          override: params.override,
        }),
      ),
    ),
  ],
})

const publishToAll = defineOperation({
  id: 'Document.PublishToSections',
  aliases: ['Document.MultiPublish'],
  label: 'Multi-Publish',
  category: CATEGORY,
  description: 'Shows the input document, as it is now, in several sections; gives the proxies there.',
  takesEachOnce: true,
  params: {
    target: {
      type: 'documents',
      description: 'The sections in which it is published: once in each.',
      isRequired: true,
      mostPairs: MAX_PUBLICATIONS,
    },
    override: OVERRIDE,
  },
  methods: ({ iterating }) => [
    iterating('document', 'documents', async ({ context: { session, signal }, input, params }) => {
      const { id } = await saveUnsaved(session, input)
      const proxies = new Map<string, DocumentRecord>()
      for (const { id: target } of params.target) {
        if (proxies.has(target)) continue
        throwIfStopped(signal)
        const current = (await session.stores.documents.get(id)) ?? input
        const { override } = params
        proxies.set(target, await publishDocument(session, current, { target, override }))
      }
      return documentsValue(params.target.flatMap((section) => proxies.get(section.id) ?? []))
    }),
  ],
})

const DESTINATION = 'Destination Path'

const liveProxy = defineOperation({
  id: 'Document.CreateLiveProxy',
  aliases: ['CreateProxyLive'],
  label: 'Create Proxy Live',
  category: CATEGORY,
  description: 'Shows the input document in another folder too, with every change that it will have.',
  isAdministrative: true,
  params: { [DESTINATION]: { type: 'string', isRequired: true, description: 'Path of the folder.' } },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) =>
      documentValue(
        await createLiveProxy(session, await saveUnsaved(session, input), { target: params[DESTINATION] }),
      ),
    ),
  ],
})

const source = defineOperation({
  id: 'Proxy.GetSourceDocument',
  aliases: ['GetLiveDocument'],
  label: 'Get Live Document',
  category: CATEGORY,
  description: 'Gives the live document behind the input proxy or version.',
  params: {},
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input }) =>
      documentValue(await getSourceDocument(context.session, input)),
    ),
  ],
})

const remove = defineOperation({
  id: 'Document.RemoveProxies',
  label: 'Remove Document Proxies',
  category: CATEGORY,
  description: 'Removes every proxy of the input document that the caller may see.',
  params: { save: SAVE },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const document = params.save ? await saveUnsaved(session, input) : input
      await removeProxies(session, document)
      return documentValue(document)
    }),
  ],
})

const unpublish = defineOperation({
  id: 'Document.UnpublishAll',
  label: "Unpublish Document's Publications",
  category: CATEGORY,
  description: 'Removes the publications of the input document that the caller may remove.',
  params: {},
  methods: ({ method }) => [
    method('document', 'void', async ({ context, input }) => {
      await unpublishAll(context.session, input)
      return VOID
    }),
  ],
})

export const publishingOperations: readonly Operation[] = [
  publish,
  publishToAll,
  liveProxy,
  source,
  remove,
  unpublish,
]
