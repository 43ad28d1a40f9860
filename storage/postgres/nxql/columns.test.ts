import { describe, expect, test } from 'vitest'
import { computingTime } from '../../../test/support/computing-time.js'
import { condition, ID } from './compile.fixture.js'

describe('columns', () => {
  test.each([
    [`ecm:uuid = '${ID}'`, ['d.id = $2::uuid', ID]],
    [`ecm:uuid = 'x'`, ['d.id <> d.id']],
    [`ecm:parentId <> 'x'`, ['d.parent_id = d.parent_id']],
    [`ecm:uuid IN ('x', '${ID}')`, ['d.id = $2::uuid', ID]],
    [`ecm:uuid NOT IN ('${ID}', '${ID}')`, ['d.id <> ALL($2::uuid[])', [ID, ID]]],
    ["ecm:uuid LIKE '0%'", ['d.id::text LIKE $2::text', '0%']],
    ["ecm:uuid > 'x'", ['d.id::text COLLATE "C" > $2::text', 'x']],
    [`ecm:uuid > '${ID}'`, ['d.id > $2::uuid', ID]],
    [`ecm:uuid BETWEEN '${ID}' AND 'x'`, ['d.id::text COLLATE "C" BETWEEN $2::text AND $3::text', ID, 'x']],
    [
      `ecm:uuid > 'ABCDEF00-0000-4000-8000-000000000001'`,
      ['d.id::text COLLATE "C" > $2::text', 'ABCDEF00-0000-4000-8000-000000000001'],
    ],
    ["ecm:name = 'a'", ['d.name = $2::text', 'a']],
    ["'a' = ecm:name", ['d.name = $2::text', 'a']],
    ['3 < ecm:pos', ['d.position > $2::numeric', '3']],
    ["NOT ecm:currentLifeCycleState != 'project'", ['d.lifecycle_state = $2::text', 'project']],
    [`ecm:proxyTargetId = '${ID}'`, ['d.proxy_target_id = $2::uuid', ID]],
    ['ecm:proxyVersionableId IS NULL', ['d.proxy_version_series_id IS NULL']],
    ['ecm:isRecord = 0', ['FALSE = FALSE']],
    ['ecm:isProxy = 0', ['d.is_proxy = FALSE']],
    ['ecm:isCheckedInVersion <> 1', ['d.is_version <> TRUE']],
    ['ecm:isLatestVersion IN (0, 1)', ['d.is_latest_version IN (FALSE, TRUE)']],
    ['ecm:lock IS NULL', ['d.lock_owner IS NULL']],
    ['ecm:versionLabel IS NOT NULL', ['d.version_label IS NOT NULL']],
    [
      "ecm:versionCreated > DATE '2020-01-01'",
      ['d.version_created_at > $2::timestamptz', '2020-01-01T00:00:00.000Z'],
    ],
    [
      "DATE(ecm:lockCreated) = DATE '2020-01-01'",
      [`to_char(d.locked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') COLLATE "C" = $2::text`, '2020-01-01'],
    ],
  ])('%s', (where, expected) => expect(condition(where)).toEqual(expected))
})

describe('the hierarchy and facets', () => {
  test.each([
    ["ecm:path = '/a/'", ['d.path = $2::text', '/a']],
    ["ecm:path = '/'", ['d.path = $2::text', '/']],
    ["ecm:path <> '/a'", ['d.path IS DISTINCT FROM $2::text', '/a']],
    ["ecm:path STARTSWITH '/a/b/'", ['(d.path > $2::text AND d.path < $3::text)', '/a/b/', '/a/b0']],
    ["ecm:path STARTSWITH '/'", ['(d.path > $2::text AND d.path < $3::text)', '/', '0']],
    ["ecm:path STARTSWITH 'a'", ['FALSE']],
    ["NOT ecm:path STARTSWITH '/a'", ['(d.path > $2::text AND d.path < $3::text) IS NOT TRUE', '/a/', '/a0']],
    ["ecm:ancestorId = 'x'", ['FALSE']],
    ["ecm:ancestorId <> 'x'", ['TRUE']],
    ["ecm:mixinType = 'Folderish'", ['(d.type = ANY($2::text[]))', ['Folder', 'Workspace', 'Root']]],
    [
      "ecm:mixinType <> 'Downloadable'",
      ['NOT (d.type = ANY($2::text[]) OR d.facets && $3::text[])', ['File'], ['Downloadable']],
    ],
    [
      "ecm:mixinType IN ('Immutable', 'X')",
      ['(d.type = ANY($2::text[]) OR d.facets && $3::text[])', [], ['X']],
    ],
    ["ecm:mixinType NOT IN ('Immutable')", ['NOT (d.type = ANY($2::text[]))', []]],
  ])('%s', (where, expected) => expect(condition(where)).toEqual(expected))

  test('a path of nothing but slashes takes no time', () => {
    const took = computingTime(() => {
      for (const operator of ['=', 'STARTSWITH']) condition(`ecm:path ${operator} '${'/'.repeat(400_000)}x'`)
    })
    expect(took).toBeLessThan(1_000)
  })

  test('an ancestor is looked up by the statement itself', () => {
    const [sql, ...values] = condition(`ecm:ancestorId = '${ID}'`)
    expect(sql).toMatch(/^\(d\.path > \(SELECT .* WHERE ancestor\.id = \$2::uuid\) AND d\.path < /)
    expect(values).toEqual([ID])
  })
})

describe('the trash, by flag and by state', () => {
  const TRASHED = "(d.is_trashed OR d.lifecycle_state = 'deleted')"
  test.each([
    ['ecm:isTrashed = 1', [TRASHED]],
    ['ecm:isTrashed <> 0', [TRASHED]],
    ['ecm:isTrashed = 0', [`${TRASHED} IS NOT TRUE`]],
    ['NOT ecm:isTrashed = 1', [`${TRASHED} IS NOT TRUE`]],
    ["ecm:currentLifeCycleState = 'deleted'", [TRASHED]],
    [
      "ecm:currentLifeCycleState <> 'deleted'",
      ['(d.lifecycle_state <> $2::text AND NOT d.is_trashed)', 'deleted'],
    ],
    [
      "NOT ecm:currentLifeCycleState NOT IN ('deleted', 'project')",
      ['(d.lifecycle_state = ANY($2::text[]) OR d.is_trashed)', ['deleted', 'project']],
    ],
    ["ecm:currentLifeCycleState LIKE 'del%'", ['d.lifecycle_state LIKE $2::text', 'del%']],
  ])('%s', (where, expected) => expect(condition(where)).toEqual(expected))
})

describe('tags, local ACLs and blobs', () => {
  const TAGS =
    "jsonb_array_elements(CASE jsonb_typeof((d.properties->'nxtag:tags')) WHEN 'array' THEN (d.properties->'nxtag:tags') END) WITH ORDINALITY AS e1(value, rank)"
  const ACES = 'document_acls AS e1'
  const OWN = 'e1.document_id = d.id'
  const correlated = (table: string, test: string) =>
    `EXISTS (SELECT 1 FROM (SELECT 1) AS correlated LEFT JOIN ${table} ON TRUE WHERE ${test})`
  test.each([
    ["ecm:tag/* = 'a'", ['d.properties @> $2::text::jsonb', '{"nxtag:tags":[{"label":"a"}]}']],
    ["ecm:tag/* LIKE 'a'", [`EXISTS (SELECT 1 FROM ${TAGS} WHERE (e1.value->>'label') LIKE $2::text)`, 'a']],
    [
      "ecm:tag = 'a'",
      [
        `d.properties @> $3::text::jsonb AND ${correlated(TAGS, "(e1.value->>'label') = $2::text")}`,
        'a',
        '{"nxtag:tags":[{"label":"a"}]}',
      ],
    ],
    [
      "ecm:tag LIKE 'a' AND ecm:tag LIKE 'b'",
      [
        correlated(TAGS, "(e1.value->>'label') LIKE $2::text AND (e1.value->>'label') LIKE $3::text"),
        'a',
        'b',
      ],
    ],
    [
      "ecm:acl/*1/principal = 'ann' AND ecm:acl/*1/grant = 1",
      [
        `d.id IN (SELECT a.document_id FROM document_acls a WHERE a.username = ANY($3::text[])) AND ` +
          `EXISTS (SELECT 1 FROM (SELECT 1) AS correlated LEFT JOIN ${ACES} ON ${OWN} WHERE e1.username = $2::text AND e1.granted = TRUE)`,
        'ann',
        ['ann'],
      ],
    ],
    ['ecm:acl/*/pos = 0', [`EXISTS (SELECT 1 FROM ${ACES} WHERE ${OWN} AND e1.position = $2::numeric)`, '0']],
    [
      "ecm:blobKeys = 'd1'",
      [
        "EXISTS (SELECT 1 FROM jsonb_path_query(d.properties, 'strict $.**.digest') WITH ORDINALITY AS e1(value, rank) WHERE (e1.value #>> '{}') = $2::text)",
        'd1',
      ],
    ],
  ])('%s', (where, expected) => expect(condition(where)).toEqual(expected))
})
