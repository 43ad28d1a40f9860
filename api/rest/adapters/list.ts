import { inListTurn } from '../../edge/index.js'
import { documentsEntity } from '../entities/index.js'
import type { RestServices } from '../rendering/index.js'
import { entityResponse, requireJsonAccepted } from '../requests/index.js'
import type { Adapter } from './adapter.js'

/** An adapter that responds with a page of documents, and passes it to adapters that apply to lists. */
export const listAdapter = (
  { platform, renderer }: RestServices,
  { name, list }: { name: string; list: NonNullable<Adapter['list']> },
): Adapter => ({
  name,
  list,
  methods: {
    GET: async (request) => {
      const { c } = request
      requireJsonAccepted(c)
      return inListTurn(c, async () => {
        const page = await list(request)
        const session = platform.readSession(c.get('principal'))
        return entityResponse(documentsEntity(page, await renderer(c, session).many(page.entries)))
      })
    },
  },
})
