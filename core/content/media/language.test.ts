import { expect, test } from 'vitest'
import { languageOf } from './language.js'

test.each([
  ['en', 'All human beings are born free and equal in dignity and rights. They are endowed with reason.'],
  [
    'fr',
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison.',
  ],
  ['de', 'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft begabt.'],
  ['ru', 'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом.'],
  [undefined, 'Invoice 4711'],
  [undefined, '4711 0815 '.repeat(20)],
])('a text is in %s', (language, text) => {
  expect(languageOf(text)).toBe(language)
})
