import { fitted } from '../../../platform/limits/index.js'
import type { Variables } from '../model/index.js'

/** What an event carries of each map of variables, characters of JSON: a route may have a mebibyte of them. */
const MAX_CHARACTERS = 4_096

/** Variables as events show them: all, or each shortened to its share. */
export const shownVariables = (variables: Variables): Variables => fitted(variables, MAX_CHARACTERS)
