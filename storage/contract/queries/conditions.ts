import { describe, expect, test } from 'vitest'
import type { Asking } from './asking.js'
import { idOf } from './sample.js'

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `n${String(from + i).padStart(2, '0')}`)

const LIVE = ['num', 'ws', 'ws0', 'ws-x', 'ws-x/f', 'a', 'b', 'c']
const NAMED = [...LIVE, 'v1', 'v2']
const without = (...left: string[]): string[] => NAMED.filter((key) => !left.includes(key))

/** Which documents of the sample each condition finds. */
export const describeConditions = ({ find }: Asking): void => {
  describe('the documents that a condition finds', () => {
    /** Without the numbered ones, unless the condition speaks of them. */
    const among = (where: string) =>
      find(`SELECT * FROM Document WHERE NOT ecm:path STARTSWITH '/num' AND (${where})`)

    test.each<[string, string[]]>([
      ["dc:title = 'It\\'s'", ['a', 'v1', 'v2']],
      ["dc:title <> 'It\\'s'", ['ws', 'ws0', 'ws-x', 'b']],
      ["NOT dc:title = 'It\\'s'", ['ws', 'ws0', 'ws-x', 'b']],
      ["dc:title IN ('ITS', 'Workspace', 'none')", ['b', 'ws']],
      ["dc:title NOT IN ('ITS', 'Workspace')", ['a', 'v1', 'v2', 'ws0', 'ws-x']],
      ["dc:title LIKE 'It_s'", ['a', 'v1', 'v2']],
      ["dc:title ILIKE 'IT%S'", ['a', 'v1', 'v2', 'b']],
      ["dc:title NOT ILIKE 'IT%S'", ['ws', 'ws0', 'ws-x']],
      ["dc:title LIKE 'workspace\\_0'", ['ws0']],
      ["dc:title LIKE '%\\%%'", ['ws-x']],
      ["dc:title LIKE '%\\\\\\\\%'", ['ws-x']],
      ["dc:title BETWEEN 'A' AND 'It'", ['b']],
      ["dc:title < 'J' AND dc:title > '2'", ['a', 'b', 'v1', 'v2']],
      ['dc:title IS NULL', ['num', 'ws-x/f', 'c']],
      ['dc:title IS NOT NULL', without('num', 'ws-x/f', 'c')],
      ["dc:subjects = 'science'", ['a']],
      ["dc:subjects <> 'science'", without('a')],
      ["dc:subjects/* <> 'science'", ['a', 'b']],
      ["NOT dc:subjects/* = 'science'", ['a', 'b']],
      ["dc:subjects IN ('arts', 'science')", ['a', 'b']],
      ["dc:subjects NOT LIKE 'art%'", without('a', 'b')],
      ["dc:subjects STARTSWITH 'art'", ['a']],
      ["dc:subjects/0 = 'arts'", ['b']],
      ["dc:subjects/1 = 'science'", ['a']],
      ['dc:subjects IS NOT NULL', ['a', 'b']],
      ['dc:subjects/* IS NULL', without('a', 'b')],
      ['s:numbers > 2', ['c']],
      ['NOT s:numbers > 3 AND s:numbers IS NOT NULL', ['c']],
      ["s:address/city = 'Oslo'", ['c']],
      ["s:address/city LIKE 'O%'", ['c']],
      ["s:people/*/name = 'Ann' AND s:people/*/age = 40", ['a', 'b']],
      ["s:people/*1/name = 'Ann' AND s:people/*1/age = 40", ['b']],
      ["NOT (s:people/*1/name = 'Ann' OR s:people/*1/age < 40)", ['a']],
      ["s:people/*1/name = 'Ann' AND s:people/*2/age = 40 AND s:people/*1/tags = 'x'", ['a']],
      ["s:people/*1/name = 'Bob' OR dc:title = 'Workspace'", ['a', 'ws']],
      ['s:people/*/name IS NULL AND s:people IS NOT NULL', ['b']],
      ["s:people/*/tags <> 'x' AND s:people IS NOT NULL", ['a', 'b']],
      ["s:people/0/tags/1 = 'y'", ['a']],
      ['file:content/length >= 1000', ['a']],
      ['file:content/length = 1000.0', ['a']],
      ['file:content IS NOT NULL', ['a']],
      ["files:files/*/file/name = 'b2.txt'", ['b']],
      ["files:files/*1/file/length = 5 AND files:files/*1/filename = 'two'", []],
      ['s:size IS NOT NULL', []],
      ['s:size < 99', []],
      ["(dc:title = 'It\\'s') = (ecm:isVersion = 1)", without('a')],
      ["(dc:title = 'It\\'s') <> (ecm:isVersion = 1)", ['a']],
      ["ecm:path = '/ws/a/'", ['a']],
      ["ecm:path <> '/ws'", without('ws')],
      ["ecm:path STARTSWITH '/ws'", ['a', 'b', 'c']],
      ["ecm:path STARTSWITH '/ws/'", ['a', 'b', 'c']],
      ["ecm:path STARTSWITH '/'", LIVE],
      ["ecm:path STARTSWITH '/nowhere'", []],
      ["ecm:path STARTSWITH 'ws'", []],
      ["NOT ecm:path STARTSWITH '/ws'", without('a', 'b', 'c')],
      [`ecm:ancestorId = '${idOf('ws')}'`, ['a', 'b', 'c']],
      [`ecm:ancestorId = '${idOf('root')}'`, LIVE],
      [`ecm:ancestorId <> '${idOf('ws')}'`, without('a', 'b', 'c')],
      [`ecm:ancestorId = '${idOf('nobody')}'`, []],
      ["ecm:ancestorId = 'no id'", []],
      [`ecm:parentId = '${idOf('ws')}'`, ['a', 'b']],
      ["ecm:parentId <> 'no id'", LIVE],
      [`ecm:uuid IN ('no id', '${idOf('a')}', '${idOf('b')}')`, ['a', 'b']],
      [`ecm:uuid LIKE '%${idOf('v1').slice(-4)}'`, ['v1']],
      ["ecm:name = 'f'", ['ws-x/f']],
      ["ecm:primaryType = 'Workspace'", ['ws', 'ws0']],
      ["ecm:mixinType = 'Folderish'", ['num', 'ws', 'ws0', 'ws-x']],
      ["ecm:mixinType <> 'Folderish'", ['ws-x/f', 'a', 'b', 'c', 'v1', 'v2']],
      ["ecm:mixinType = 'Extra'", ['a']],
      ["ecm:mixinType NOT IN ('Extra', 'Folderish')", ['ws-x/f', 'b', 'c', 'v1', 'v2']],
      ["ecm:mixinType = 'Immutable'", []],
      ["ecm:currentLifeCycleState <> 'deleted'", without('b', 'c')],
      ['ecm:isTrashed = 1', ['b']],
      ['ecm:isProxy = 1', ['c']],
      ['ecm:isProxy = 1 AND ecm:isProxy = 0', []],
      ['ecm:isVersion = 1 AND ecm:isLatestVersion = 0', ['v1']],
      ['ecm:isCheckedInVersion = 1 AND ecm:isLatestMajorVersion = 1', ['v2']],
      ['ecm:isCheckedIn = 1', ['v1', 'v2']],
      ["ecm:versionLabel = '0.1'", ['v1']],
      ['ecm:versionDescription IS NOT NULL', ['v1']],
      [`ecm:versionVersionableId = '${idOf('a')}'`, ['v1', 'v2']],
      ["DATE(ecm:versionCreated) = DATE '2020-02-29'", ['v1']],
      ["ecm:versionCreated >= TIMESTAMP '2020-03-01 01:00:00+01:00'", ['v2']],
      ["ecm:versionCreated IN (DATE '2020-03-01', DATE '2020-03-02')", ['v2']],
      ["ecm:lockOwner = 'ann' AND ecm:lock = 'ann'", ['a']],
      ["ecm:lockCreated > DATE '2020-05-01'", ['a']],
      ['ecm:pos = 1', ['a']],
    ])('%s', async (where, expected) => expect((await among(where)).toSorted()).toEqual(expected.toSorted()))
  })

  describe('numbers, booleans and dates', () => {
    test.each<[string, string[]]>([
      ['s:size BETWEEN 3 AND 5', numbered(3, 5)],
      ['s:size NOT BETWEEN 1 AND 28', ['n00', 'n29']],
      ['s:size IN (1, 2.0, 99)', ['n01', 'n02']],
      ['s:size NOT IN (0, 1) AND s:size < 3.5', ['n02', 'n03']],
      ['s:size <> 0 AND s:size <= 1', ['n01']],
      ['s:size < -9223372036854775808', []],
      ['s:flag = 1 AND s:size < 3', ['n00', 'n02']],
      ['s:flag <> 1 AND s:size < 3', ['n01']],
      ['NOT s:flag = 0 AND s:size < 3', ['n00', 'n02']],
      ["dc:created < DATE '2020-01-03'", ['n00', 'n01']],
      ["dc:created = DATE '2020-01-03'", []],
      ["DATE(dc:created) = DATE '2020-01-03'", ['n02']],
      ["DATE(dc:created) BETWEEN DATE '2020-01-03' AND DATE '2020-01-04'", ['n02', 'n03']],
      ["dc:created = TIMESTAMP '2020-01-03T09:30:00+01:00'", ['n02']],
      ["dc:created BETWEEN NOW('-P1D') AND NOW()", ['n09', 'n10']],
      ['NOW() > dc:created', numbered(0, 9)],
      ["s:size > '27'", numbered(28, 29)],
      ["'3' > s:size AND s:flag = 'true'", ['n00', 'n02']],
      ["s:size IN ('1', '2.0')", numbered(1, 2)],
      ["dc:created < '2020-01-03'", numbered(0, 1)],
      ["DATE(dc:created) = '2020-01-03'", ['n02']],
      ["dc:created = '2020-01-03T09:30:00+01:00'", ['n02']],
      ["ecm:isTrashed = 'false' AND s:size + '1' = '3'", ['n02']],
    ])('%s', async (where, expected) => {
      expect(await find(`SELECT * FROM File WHERE ${where} ORDER BY s:size`)).toEqual(expected)
    })
  })

  describe('types', () => {
    test.each<[string, string[]]>([
      ['Workspace', ['ws', 'ws0']],
      ['Folder', ['root', 'num', 'ws', 'ws0', 'ws-x']],
      ['Relation', ['rel']],
      ['Workspace, Relation', ['ws', 'ws0', 'rel']],
      ['DOCUMENT', [...NAMED, ...numbered(0, 29)]],
    ])('FROM %s', async (from, expected) => {
      expect((await find(`SELECT * FROM ${from}`)).toSorted()).toEqual(expected.toSorted())
    })
  })
}
