import { describe, test } from 'vitest'
import { describeQueries, describeQueryRights } from '../../storage/contract/queries/index.js'
import { CONTRACT_RULES } from '../../storage/contract/rules/index.js'
import { openIndexed } from '../integration/storage/contract/elasticsearch.js'
import { elasticsearchSettings } from '../support/elasticsearch.js'

const settings = await elasticsearchSettings()
if (settings) {
  describeQueries('elasticsearch', await openIndexed(settings, 'sample')(CONTRACT_RULES))
  describeQueryRights('elasticsearch', await openIndexed(settings, 'rights')(CONTRACT_RULES))
} else describe('elasticsearch', () => test.skip('cannot be started here'))
