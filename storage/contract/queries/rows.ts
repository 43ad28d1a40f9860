import { describe, expect, test } from 'vitest'
import type { Asking } from './asking.js'
import { idOf } from './sample.js'

/** Rows of what a query selects. */
export const describeRows = ({ rows, total }: Asking): void => {
  describe('rows', () => {
    const among = "WHERE ecm:name IN ('a', 'b', 'ws')"
    test.each<[string, Record<string, unknown>[]]>([
      [
        `SELECT ecm:name, dc:title FROM Document ${among} ORDER BY ecm:name`,
        [
          { 'ecm:name': 'a', 'dc:title': "It's" },
          { 'ecm:name': 'b', 'dc:title': 'ITS' },
          { 'ecm:name': 'ws', 'dc:title': 'Workspace' },
        ],
      ],
      // The root has no name.
      ["SELECT ecm:name FROM Folder WHERE ecm:name LIKE ''", [{ 'ecm:name': '' }]],
      ["SELECT ecm:name FROM Folder WHERE ecm:name ILIKE ''", [{ 'ecm:name': '' }]],
      [
        'SELECT DISTINCT dc:subjects/*1, ecm:primaryType FROM File ORDER BY ecm:primaryType, dc:subjects/*1 DESC',
        [
          { 'dc:subjects/*1': null, 'ecm:primaryType': 'File' },
          { 'dc:subjects/*1': 'science', 'ecm:primaryType': 'File' },
          { 'dc:subjects/*1': 'arts', 'ecm:primaryType': 'File' },
          { 'dc:subjects/*1': 'art/painting', 'ecm:primaryType': 'File' },
        ],
      ],
      [`SELECT * FROM Document WHERE ecm:name = 'a'`, [{ 'ecm:uuid': idOf('a') }]],
      [
        `SELECT dc:subjects, ecm:lockCreated, ecm:isTrashed, file:content/length FROM Document WHERE ecm:name = 'a'`,
        [
          {
            'dc:subjects': ['art/painting', 'science'],
            'ecm:lockCreated': '2020-05-01T10:00:00.000Z',
            'ecm:isTrashed': false,
            'file:content/length': 1000,
          },
        ],
      ],
      [
        `SELECT ecm:name, dc:subjects/* FROM Document ${among} ORDER BY ecm:name`,
        [
          { 'ecm:name': 'a', 'dc:subjects/*': 'art/painting' },
          { 'ecm:name': 'a', 'dc:subjects/*': 'science' },
          { 'ecm:name': 'b', 'dc:subjects/*': 'arts' },
          { 'ecm:name': 'ws', 'dc:subjects/*': null },
        ],
      ],
      [
        'SELECT s:people/*1/name FROM File WHERE s:people/*1/age > 30 ORDER BY s:people/*1/name',
        [{ 's:people/*1/name': 'Ann' }, { 's:people/*1/name': 'Bob' }],
      ],
      [
        'SELECT ecm:tag FROM File WHERE ecm:tag IS NOT NULL ORDER BY ecm:tag',
        [{ 'ecm:tag': 'blue' }, { 'ecm:tag': 'blue' }, { 'ecm:tag': 'red' }],
      ],
      [
        'SELECT DISTINCT ecm:tag FROM File WHERE ecm:tag IS NOT NULL ORDER BY ecm:tag DESC',
        [{ 'ecm:tag': 'red' }, { 'ecm:tag': 'blue' }],
      ],
      [
        "SELECT ecm:acl/*1/principal FROM Document WHERE ecm:acl/*1/permission = 'Write' ORDER BY ecm:acl/*1/principal",
        [{ 'ecm:acl/*1/principal': 'ann' }, { 'ecm:acl/*1/principal': 'bob' }],
      ],
      [
        'SELECT DISTINCT ecm:primaryType FROM Folder',
        [{ 'ecm:primaryType': 'Folder' }, { 'ecm:primaryType': 'Root' }, { 'ecm:primaryType': 'Workspace' }],
      ],
      [
        'SELECT COUNT(ecm:uuid), SUM(s:size), AVG(s:size), MIN(s:size), MAX(dc:created) FROM File WHERE s:size BETWEEN 1 AND 2',
        [
          {
            'COUNT(ecm:uuid)': 2,
            'SUM(s:size)': 3,
            'AVG(s:size)': 1.5,
            'MIN(s:size)': 1,
            'MAX(dc:created)': '2020-01-03T08:30:00.000Z',
          },
        ],
      ],
      [
        "SELECT COUNT(ecm:uuid), SUM(s:size), AVG(s:size), MIN(dc:title), MAX(ecm:lockCreated) FROM File WHERE ecm:name = 'none'",
        [
          {
            'COUNT(ecm:uuid)': 0,
            'SUM(s:size)': null,
            'AVG(s:size)': null,
            'MIN(dc:title)': null,
            'MAX(ecm:lockCreated)': null,
          },
        ],
      ],
      [
        "SELECT COUNT(s:score), COUNT(dc:title) FROM Document WHERE ecm:name IN ('a', 'c')",
        [{ 'COUNT(s:score)': 0, 'COUNT(dc:title)': 1 }],
      ],
      [
        "SELECT COUNT(dc:subjects/*), MIN(ecm:uuid) FROM File WHERE ecm:path STARTSWITH '/ws'",
        [{ 'COUNT(dc:subjects/*)': 3, 'MIN(ecm:uuid)': idOf('a') }],
      ],
    ])('%s', async (query, expected) => expect(await rows(query)).toEqual(expected))

    test('pages put together are the whole, without gap or overlap', async () => {
      for (const query of [
        'SELECT dc:subjects/* FROM Document',
        'SELECT DISTINCT s:flag, ecm:primaryType FROM Document',
      ]) {
        const whole = await rows(query)
        const pages = []
        for (let offset = 0; offset < whole.length; offset += 3)
          pages.push(...(await rows(query, { limit: 3, offset })))
        expect(pages).toEqual(whole)
        expect(await total(query)).toBe(whole.length)
      }
    })
  })
}
