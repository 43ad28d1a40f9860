import { principalOf } from '../../../core/access/security/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import { compileNxql } from './compile.js'
import type { Reach } from './read-security.js'
import { compileRecords } from './records.js'

export const administrator = principalOf('Administrator', [], true)

/** Of which model, by whom and when the tests of this folder ask. */
const scope = {
  model: sampleModel(),
  principal: administrator,
  now: new Date('2020-03-31T12:00:00.000Z'),
}

export const plan = (text: string, principal = administrator, reach: Reach = { isWide: false }) =>
  compileNxql(parseNxql(text), { ...scope, principal, reach })

/** The same for rows of what the query selects. */
export const rowPlan = (text: string) => compileRecords(parseNxql(text), scope)

/** The condition and its values, without the clauses that every statement has. */
export const condition = (where: string): [string, ...unknown[]] => {
  const { text, parameters } = plan(`SELECT * FROM Document WHERE ${where}`).ids()
  const [, sql = ''] =
    /^SELECT d\.id FROM documents d WHERE d\.type <> ALL\(\$1::text\[\]\) AND (.*) ORDER BY d\.id$/s.exec(
      text,
    ) ?? []
  return [sql, ...parameters.slice(1)]
}

export const ID = '00000000-0000-4000-8000-000000000001'

export const elements = (json: string, alias: string) =>
  `jsonb_array_elements(CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} END) WITH ORDINALITY AS ${alias}(value, rank)`

export const SIZE =
  "(CASE jsonb_typeof((d.properties->'s:size')) WHEN 'number' THEN (d.properties->'s:size')::numeric WHEN 'string' THEN substring((d.properties->>'s:size'), '^-?[1-9][0-9]{15,18}$')::numeric END)"

export const AGE =
  "(CASE jsonb_typeof((e1.value->'age')) WHEN 'number' THEN (e1.value->'age')::numeric WHEN 'string' THEN substring((e1.value->>'age'), '^-?[1-9][0-9]{15,18}$')::numeric END)"
