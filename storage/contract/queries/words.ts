import { describe, expect, test } from 'vitest'
import type { Asking } from './asking.js'
import { changeSample } from './sample.js'

/** What searches of words find, and in which order. */
export const describeWords = ({ backend, findWhere, rows }: Asking): void => {
  describe('words', () => {
    test.each<[string, string[]]>([
      ["ecm:fulltext = 'sugar'", ['a', 'b']],
      ["ecm:fulltext = 'SUGAR cane'", ['b']],
      ["ecm:fulltext = 'creme brulee'", ['a']],
      ["ecm:fulltext = 'Crème-brûlée'", ['a']],
      ["ecm:fulltext = 'strasse'", ['a']],
      ["ecm:fulltext = 'sugar -cane'", ['a']],
      ["ecm:fulltext = '-cane'", []],
      ["ecm:fulltext = ''", []],
      ["ecm:fulltext = '?!'", []],
      ["NOT ecm:fulltext = '-cane' AND ecm:name = 'b'", ['b']],
      ["ecm:fulltext = 'strasse OR cane'", ['a', 'b']],
      ['ecm:fulltext = \'"sugar of the"\'', ['a']],
      ['ecm:fulltext = \'"of sugar"\'', []],
      ["ecm:fulltext = 'sug*'", ['a', 'b']],
      ["ecm:fulltext LIKE 'sug%'", ['a', 'b']],
      ["ecm:fulltext = 'strasse brulee OR cane nothing'", ['a']],
      ["ecm:fulltext = 'cane -brulee OR strasse -brulee'", ['b']],
      ['ecm:fulltext = \'"with sug*"\'', ['a']],
      ['ecm:fulltext = \'"wit sug*"\'', []],
      ["ecm:fulltext = 'sug'", []],
      ['ecm:fulltext = \'"bergen town"\'', ['b']],
      ["ecm:fulltext = 'north'", []],
      ["ecm:fulltext = 'nbsp'", []],
      ["ecm:fulltext = 'pdf'", ['a']],
      ["ecm:fulltext = 'application'", []],
      ["ecm:fulltext = 'painting'", ['a']],
      ["ecm:fulltext = 'Oslo'", ['c']],
      ["ecm:fulltext_title = 'workspace'", ['ws', 'ws0']],
      ["ecm:fulltext_title = 'sugar'", []],
      ["ecm:fulltext_description = 'sugar'", ['a', 'b']],
      ["ecm:fulltext_description = 'cane -sugar'", []],
      ["ecm:fulltext.dc:title = 'works*'", ['ws', 'ws0']],
      ["ecm:fulltext.dc:subjects = 'PAINT'", ['a']],
      ["ecm:fulltext.s:address/city = 'sl'", ['c']],
      ["ecm:binarytext = 'anything'", []],
      ["NOT ecm:fulltext = 'sugar' AND ecm:path STARTSWITH '/ws'", ['c']],
      ["ecm:fulltext = 'sugar' AND ecm:isTrashed = 0", ['a']],
      ["ecm:fulltext = 'root'", []],
      ["ecm:fulltext = 'es: strasse cane'", ['a', 'b']],
      ["ecm:fulltext = 'es: sugar +cane'", ['b']],
    ])('%s', async (where, expected) => expect((await findWhere(where)).toSorted()).toEqual(expected))

    test('the better answer comes first when nothing else is asked for', async () => {
      await changeSample(backend, 'n07', { properties: { 'dc:title': 'cane' } })
      expect(await findWhere("ecm:fulltext = 'cane'")).toEqual(['n07', 'b'])
      expect(
        await rows("SELECT ecm:name, ecm:fulltextScore FROM Document WHERE ecm:fulltext = 'cane'"),
      ).toEqual([
        { 'ecm:name': 'n07', 'ecm:fulltextScore': expect.any(Number) },
        { 'ecm:name': 'b', 'ecm:fulltextScore': expect.any(Number) },
      ])
      expect(await findWhere("ecm:fulltext = 'cane' ORDER BY ecm:fulltextScore")).toEqual(['b', 'n07'])
    })

    test('a title comes before a text that has the word more often', async () => {
      await changeSample(backend, 'n07', { properties: { 'dc:title': 'a walk from lake to lake to sea' } })
      await changeSample(backend, 'n09', {
        properties: { 'dc:title': 'plain', 's:address': { city: 'sea sea sea sea sea sea sea' } },
      })
      expect(await findWhere("ecm:fulltext = 'sea'")).toEqual(['n07', 'n09'])
    })

    test('words are found in every form, by the language of their document', async () => {
      const french = {
        'dc:title': 'Les vieilles maisons',
        'dc:description': 'près de Nîmes',
        'dc:language': 'fr-FR',
      }
      await changeSample(backend, 'n07', { properties: french })
      await changeSample(backend, 'n09', { properties: { 'dc:title': 'Old houses', 'dc:language': 'ENG' } })
      await changeSample(backend, 'n10', { properties: { 'dc:title': 'houses without a language' } })
      for (const [words, expected] of [
        ['maison', ['n07']],
        ['MAISONS', ['n07']],
        ['vieille maison nimes', ['n07']],
        ['nimes -maison', []],
        ['maison OR house', ['n07', 'n09']],
        ['house', ['n09']],
        ['housing', ['n09']],
        ['houses', ['n09', 'n10']],
        ['houses -house', ['n10']],
        ['+house +old', ['n09']],
        ['"house"', []],
        ['"old house"', []],
        ['"old houses"', ['n09']],
        ['hous*', ['n09', 'n10']],
        ['=english:hous', []],
      ] as const)
        expect((await findWhere(`ecm:fulltext = '${words}'`)).toSorted(), words).toEqual(expected)
      expect(await findWhere("ecm:fulltext_title = 'maison'")).toEqual(['n07'])
      expect(await findWhere("ecm:fulltext_description = 'maison'")).toEqual([])
      expect(await findWhere("NOT ecm:fulltext = 'house' AND ecm:fulltext = 'old'")).toEqual([])
      await changeSample(backend, 'n09', { properties: { 'dc:language': null, 's:address': null } })
      expect(await findWhere("ecm:fulltext = 'house'")).toEqual([])
    })

    test('words find their synonyms, those of several words side by side', async () => {
      const titles = { n07: 'Oceans', n09: 'La MER', n10: 'the deep sea' }
      for (const [key, title] of Object.entries(titles))
        await changeSample(backend, key, {
          properties: { 'dc:title': title, ...(key === 'n07' && { 'dc:language': 'en' }) },
        })
      for (const [words, expected] of [
        ['ocean', ['n07', 'n09', 'n10']],
        ['mer', ['n07', 'n09', 'n10']],
        ['"mer"', ['n09']],
        ['mer -sea', ['n07', 'n09']],
        ['sea -mer', ['n10']],
        ['deep', ['n10']],
      ] as const)
        expect((await findWhere(`ecm:fulltext = '${words}'`)).toSorted(), words).toEqual(expected)
      expect(await findWhere("ecm:fulltext = 'mer' AND ecm:name = 'n09'")).toEqual(['n09'])
    })

    test('words follow every write', async () => {
      const isFound = async (word: string) => (await findWhere(`ecm:fulltext = '${word}'`)).includes('n08')
      await changeSample(backend, 'n08', { properties: { 'dc:title': 'zebra' } })
      expect([await isFound('zebra'), await isFound('number')]).toEqual([true, false])
      await changeSample(backend, 'n08', { columns: { facets: ['NotFulltextIndexable'] } })
      expect(await isFound('zebra')).toBe(false)
      await changeSample(backend, 'n08', { columns: { facets: [] } })
      expect(await isFound('zebra')).toBe(true)
    })
  })
}
