import { expect, test } from 'vitest'
import { quotientText } from '../../../storage/elasticsearch/nxql/rows/quotient.js'
import { seededRandom } from '../../support/random.js'
import { sized } from '../../support/size.js'
import { openDatabase } from '../storage/contract/postgres.js'

const COUNT = sized({ full: 200_000, sample: 2_000 })

test('averages of the index have the digits that the database gives', async () => {
  const { sql } = await openDatabase()
  const random = seededRandom(COUNT)
  const whole = (most: number) => Math.floor(random() ** 8 * 10 ** (1 + random() * most))
  const pairs = Array.from({ length: COUNT }, () => ({
    dividend: (random() < 0.5 ? -1 : 1) * Math.min(Number.MAX_SAFE_INTEGER, whole(19)),
    divisor: 1 + whole(9),
  }))
  const rows = await sql<{ quotient: string }[]>`
    SELECT (dividend / divisor)::text AS quotient
    FROM unnest(${pairs.map((pair) => String(pair.dividend))}::numeric[], ${pairs.map((pair) => String(pair.divisor))}::numeric[])
      WITH ORDINALITY AS pair (dividend, divisor, at)
    ORDER BY at`
  const own = pairs.map(({ dividend, divisor }) => quotientText(BigInt(dividend), BigInt(divisor)))
  expect(own).toEqual(rows.map((row) => row.quotient))
})
