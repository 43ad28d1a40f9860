import { describe, expect, test } from 'vitest'
import type { Asking } from './asking.js'
import { changeSample, idOf } from './sample.js'

/** Conditions on what documents have beside their properties, and between two properties. */
export const describeSpecialConditions = ({ backend, findWhere }: Asking): void => {
  describe('tags, local ACLs, proxies and blobs', () => {
    test.each<[string, string[]]>([
      ["ecm:tag = 'blue'", ['a', 'b']],
      ["ecm:tag = 'blue' AND ecm:tag = 'red'", []],
      ["ecm:tag/* = 'blue' AND ecm:tag/* = 'red'", ['a']],
      ["ecm:tag/*1 = 'blue' AND ecm:tag/*1 = 'red'", []],
      ["ecm:tag/*1 = 'blue' AND ecm:tag/*2 = 'red'", ['a']],
      ["ecm:tag IN ('red', 'green')", ['a']],
      ["ecm:tag LIKE 'bl%' AND ecm:tag <> 'red'", ['a', 'b']],
      ["ecm:tag/* <> 'blue'", ['a']],
      ['ecm:tag IS NOT NULL', ['a', 'b']],
      ["ecm:tag IS NULL AND ecm:primaryType = 'Workspace'", ['ws', 'ws0']],
      ["ecm:acl/*/principal = 'ann'", ['ws', 'ws0']],
      ["ecm:acl/*1/principal = 'ann' AND ecm:acl/*1/permission = 'Write'", ['ws0']],
      ["ecm:acl/*/principal = 'ann' AND ecm:acl/*/permission = 'Write'", ['ws', 'ws0']],
      ['ecm:acl/*1/grant = 0', ['ws0']],
      ["ecm:acl/*1/name = 'workflow' AND ecm:acl/*1/creator = 'system'", ['ws0']],
      ['ecm:acl/*1/pos = 3', ['ws0']],
      ["ecm:acl/*1/begin > DATE '2025-01-01'", ['ws0']],
      ['ecm:acl/*1/end < NOW()', ['ws']],
      ['ecm:acl/*1/status = 2', ['ws']],
      ['ecm:acl/*1/status = 0', ['ws0']],
      ["ecm:acl/*1/principal = 'ann' AND ecm:acl/*1/status IS NULL", ['ws']],
      [`ecm:proxyTargetId = '${idOf('v1')}'`, ['c']],
      [`ecm:proxyVersionableId = '${idOf('a')}'`, ['c']],
      [`ecm:proxyTargetId <> '${idOf('b')}'`, ['c']],
      ["ecm:blobKeys = 'd1'", ['a']],
      ["ecm:blobKeys IN ('d1', 'd2')", ['a']],
      ["ecm:isRecord = 1 OR ecm:hasLegalHold = 1 OR ecm:retainUntil > DATE '2000-01-01'", []],
      ["ecm:currentLifeCycleState = 'deleted'", ['b']],
      ["s:people/*/tags/*1 = 'x'", ['a']],
    ])('%s', async (where, expected) =>
      expect((await findWhere(where)).toSorted()).toEqual(expected.toSorted()),
    )

    test('what is trashed counts as deleted, and what is deleted as trashed', async () => {
      await changeSample(backend, 'n00', { columns: { isTrashed: true } })
      await changeSample(backend, 'n01', { columns: { lifecycleState: 'deleted' } })
      for (const where of ['ecm:isTrashed = 1', "ecm:currentLifeCycleState = 'deleted'"])
        expect((await findWhere(`${where} AND ecm:path STARTSWITH '/num'`)).toSorted()).toEqual([
          'n00',
          'n01',
        ])
      for (const where of ['ecm:isTrashed = 0', "ecm:currentLifeCycleState <> 'deleted'"])
        expect(await findWhere(`${where} AND ecm:path STARTSWITH '/num'`)).toHaveLength(28)
      await changeSample(backend, 'n00', { columns: { isTrashed: false } })
      await changeSample(backend, 'n01', { columns: { lifecycleState: 'project' } })
    })
  })

  describe('what is computed and compared', () => {
    test.each<[string, string[]]>([
      ['s:size + 1 = 3', ['n02']],
      ['s:size * 2 > 57 - 1', ['n29']],
      ['10 / s:size > 9', ['n01']],
      ['s:size / 0 = 1', []],
      ['s:size - s:size = 0 AND s:size < 1', ['n00']],
      ['s:people/*/age > s:people/0/age', ['a']],
      ['dc:title = dc:title AND s:size = 4', ['n04']],
      ['ecm:pos = s:size AND s:size < 2', ['n00', 'n01']],
      ['ecm:lockCreated < ecm:versionCreated', []],
    ])('%s', async (where, expected) => expect((await findWhere(where)).toSorted()).toEqual(expected))
  })
}
