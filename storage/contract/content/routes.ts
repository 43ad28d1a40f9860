import { expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { StoredRoute } from '../../../core/content/stores/index.js'
import type { ContentBackend } from './backend.js'
import { createTree } from './tree.js'

/** What every store of routes must do. */
export const describeRouteStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { routes } = backend.reading(SYSTEM)

  const added = async (initiator = 'ann'): Promise<StoredRoute> => {
    const { id } = await tree.create(await tree.folder())
    const route: StoredRoute = {
      ...{ id, modelId: 'm', initiator, status: 'ready', endedAt: null },
      ...{ model: { nodes: {} }, state: { variables: { text: 'é' } }, documentIds: [] },
      ...{ parentId: null, parentNode: null, startedAt: new Date(1_000) },
    }
    await tree.within((stores) => stores.routes.insert(route))
    return route
  }

  test(`${name}: a route is kept, found and changed`, async () => {
    const route = await added()
    expect(await routes.get(route.id)).toEqual(route)
    expect(await routes.getMany([route.id, crypto.randomUUID()])).toEqual([route])
    expect(await routes.getMany([])).toEqual([])
    const changed = { ...route, status: 'done' as const, endedAt: new Date(2_000), documentIds: ['d'] }
    await tree.within((stores) => stores.routes.save(changed))
    expect(await tree.within((stores) => stores.routes.get(route.id, { hold: true }))).toEqual(changed)
    await tree.within((stores) => stores.routes.setModel(route.id, { nodes: { n: {} } }))
    expect(await routes.get(route.id)).toEqual({ ...changed, model: { nodes: { n: {} } } })
  })

  test(`${name}: a route is unfollowed until somebody has seen its newest change`, async () => {
    const route = await added()
    const own = async () => (await routes.unfollowed()).filter(({ id }) => id === route.id)
    expect(await own()).toEqual([{ id: route.id, modelId: 'm', initiator: 'ann', revision: 0 }])
    await routes.save(route)
    await routes.follow(route.id, 0)
    expect(await own()).toMatchObject([{ revision: 1 }])
    await routes.follow(route.id)
    expect(await own()).toEqual([])
  })

  test(`${name}: escalations of a route are listed, newest first`, async () => {
    const { id } = await added()
    const first = { node: 'n', rule: 'r', error: null, executedAt: new Date(1_000) }
    const second = { ...first, error: 'it failed', executedAt: new Date(500) }
    await routes.recordEscalation(id, first)
    await routes.recordEscalation(id, second)
    expect(await routes.escalations(id)).toEqual([second, first])
  })

  test(`${name}: routes that run are listed, the oldest first`, async () => {
    const [first, second] = [await added(), await added()]
    await routes.save({ ...second, status: 'running' })
    await routes.save({ ...first, status: 'running' })
    const own = async () =>
      (await routes.running()).map(({ id }) => id).filter((id) => [first.id, second.id].includes(id))
    expect((await own()).sort()).toEqual([first.id, second.id].sort())
    await routes.save({ ...first, status: 'done' })
    expect(await own()).toEqual([second.id])
  })

  test(`${name}: routes that have not ended are counted, as far as somebody asks`, async () => {
    const initiator = crypto.randomUUID()
    const [first, second] = [await added(initiator), await added(initiator)]
    expect(await routes.countOpen({ initiator, most: 5 })).toBe(2)
    expect(await routes.countOpen({ initiator, most: 1 })).toBe(1)
    expect(await routes.countOpen({ most: 1 })).toBe(1)
    await routes.save({ ...first, status: 'running' })
    await routes.save({ ...second, status: 'canceled' })
    expect(await routes.countOpen({ initiator, most: 5 })).toBe(1)
  })

  test(`${name}: a route goes with its document`, async () => {
    const { id } = await added()
    await tree.within(async (stores) => {
      const document = await stores.documents.get(id)
      await stores.subtrees.remove(document!, [])
    })
    expect(await routes.get(id)).toBeUndefined()
  })
}
