import { expect, test } from 'vitest'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { StoredRoute } from '../../../core/content/stores/index.js'
import type { ContentBackend } from './backend.js'
import { createTree } from './tree.js'

/** What every store of routes must do. */
export const describeRouteStore = (name: string, backend: ContentBackend): void => {
  const tree = createTree(backend)
  const { routes } = backend.reading(SYSTEM)

  const added = async (initiator = 'ann', more: Partial<StoredRoute> = {}): Promise<StoredRoute> => {
    const { id } = await tree.create(await tree.folder())
    const route: StoredRoute = {
      ...{ id, modelId: 'm', initiator, status: 'ready', endedAt: null },
      ...{ model: { nodes: {} }, state: { variables: { text: 'é' } }, documentIds: [] },
      ...{ parentId: null, parentNode: null, startedAt: new Date(1_000) },
      ...more,
    }
    await tree.within((stores) => stores.routes.insert(route))
    return route
  }

  test(`${name}: a route is kept, found and changed`, async () => {
    const route = await added()
    expect(await routes.get(route.id)).toEqual(route)
    expect(await routes.getMany([route.id, crypto.randomUUID()])).toEqual([route])
    expect(await routes.getMany([])).toEqual([])
    const { id, modelId, initiator, parentId, model } = route
    const brief = { id, modelId, initiator, parentId, model }
    expect(await routes.briefly([id, crypto.randomUUID()])).toEqual([brief])
    expect(await routes.briefly([])).toEqual([])
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

  test(`${name}: what is saved by whoever follows a route needs no look, and comes with its events`, async () => {
    const route = await added()
    const own = async () => (await routes.unfollowed()).filter(({ id }) => id === route.id)
    const event = { event: 'moved', documentId: route.id, payload: { n: 1 } }
    await tree.within((stores) => stores.routes.save(route, { isFollowed: true, events: [event] }))
    expect(await own()).toEqual([])
    const emitted = (await backend.events()).filter(({ documentId }) => documentId === route.id)
    expect(emitted.at(-1)).toMatchObject({ event: 'moved', payload: { n: 1 } })
    await routes.save(route)
    expect(await own()).toMatchObject([{ revision: 2 }])
  })

  test(`${name}: a route is abandoned when the last document that it is about is gone`, async () => {
    const [kept, gone] = [await tree.create(await tree.folder()), crypto.randomUUID()]
    const about = (...documentIds: string[]) => added('ann', { documentIds })
    const [without, both, left, other] = [
      await added(),
      await about(kept.id, gone),
      await about(gone),
      await about('d'),
    ]
    const own = [without, both, left, other].map(({ id }) => id)
    const abandoned = async () =>
      (await routes.abandoned({ limit: 1_000 })).flatMap(({ id }) => (own.includes(id) ? [id] : []))
    expect(await abandoned()).toEqual([])
    for (const id of own) await routes.follow(id)
    const [first, second] = [left.id, other.id].toSorted()
    expect(await abandoned()).toEqual([first, second])
    expect(await routes.abandoned({ after: first, limit: 1_000 })).toContainEqual({
      id: second,
      status: 'ready',
    })
    expect((await routes.abandoned({ after: first, limit: 1_000 })).map(({ id }) => id)).not.toContain(first)
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
      (await routes.running({ limit: 1_000 }))
        .map(({ id }) => id)
        .filter((id) => [first.id, second.id].includes(id))
    expect((await own()).sort()).toEqual([first.id, second.id].sort())
    await routes.save({ ...first, status: 'done' })
    expect(await own()).toEqual([second.id])
  })

  test(`${name}: routes that run are found page by page, by model, and when nobody has followed them`, async () => {
    const modelId = crypto.randomUUID()
    const all: string[] = []
    for (let count = 0; count < 3; count++) {
      const route = await added('ann', { modelId, startedAt: new Date(count === 2 ? 3_000 : 2_000) })
      await routes.save({ ...route, status: 'running' }, { isFollowed: count !== 1 })
      all.push(route.id)
    }
    const idsOf = async (asked: Partial<Parameters<typeof routes.running>[0]>) =>
      (await routes.running({ modelId, limit: 10, ...asked })).map(({ id }) => id)
    const listed = await idsOf({})
    expect(listed).toEqual([...all.slice(0, 2).sort(), all[2]])
    expect(await idsOf({ limit: 1 })).toEqual(listed.slice(0, 1))
    expect(await idsOf({ limit: 1, after: listed[0] })).toEqual(listed.slice(1, 2))
    expect(await idsOf({ after: listed[1] })).toEqual(listed.slice(2))
    expect(await idsOf({ after: listed[2] })).toEqual([])
    expect(await idsOf({ isUnfollowed: true })).toEqual([all[1]])
    expect(await idsOf({ modelId: crypto.randomUUID() })).toEqual([])
  })

  test(`${name}: open tasks are counted by node and by assignee, with those that are overdue`, async () => {
    const modelId = crypto.randomUUID()
    const [ann, staff] = [crypto.randomUUID(), `group:${crypto.randomUUID()}`]
    const folder = await tree.folder()
    const task = async (nodeName: string, due: string, ended = false) => {
      const properties = { 'nt:actors': [`user:${ann}`], 'nt:delegatedActors': [staff], 'nt:dueDate': due }
      const { id } = await tree.create(folder, { properties })
      return { node: nodeName, info: { taskId: id, ended } }
    }
    const [early, late] = ['2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z']
    const made = [
      await task('a', late),
      await task('a', early),
      await task('b', early),
      await task('b', early, true),
    ]
    const nodes = Object.fromEntries(
      ['a', 'b'].map((node) => [
        node,
        { tasks: made.flatMap((each) => (each.node === node ? [each.info] : [])) },
      ]),
    )
    const route = await added('ann', { modelId, state: { nodes } })
    const now = new Date('2025-01-01T00:00:00.000Z')
    const own = async () => {
      const { byNode, byAssignee } = await routes.backlog({ now })
      return {
        nodes: byNode.filter((each) => each.modelId === modelId),
        assignees: byAssignee.filter(({ assignee }) => [ann, staff].includes(assignee)),
      }
    }
    expect(await own()).toEqual({ nodes: [], assignees: [] })
    await routes.save({ ...route, status: 'running' })
    const all = { open: 3, overdue: 2, earliestDue: early }
    const found = await own()
    expect(found.nodes).toEqual([
      { modelId, node: 'a', open: 2, overdue: 1, earliestDue: early },
      { modelId, node: 'b', open: 1, overdue: 1, earliestDue: early },
    ])
    expect(found.assignees).toHaveLength(2)
    expect(found.assignees).toEqual(
      expect.arrayContaining([
        { assignee: ann, ...all },
        { assignee: staff, ...all },
      ]),
    )
    expect((await routes.backlog({ now })).unfollowed).toBeGreaterThan(0)
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
