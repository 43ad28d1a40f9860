import type { Enricher } from './enricher.js'

const PUBLISH_SPACES = ['Section', 'SectionRoot']

/** Permissions that a user interface offers to grant on a type (rest-documents.md §6). */
export const userVisiblePermissions: Enricher = {
  name: 'userVisiblePermissions',
  aliases: ['AllowedPermissions'],
  enrich: async ({ document, asked }) => ({
    [asked]: [
      'Read',
      'ReadWrite',
      'Everything',
      ...(PUBLISH_SPACES.includes(document.type) ? ['CanAskForPublishing'] : []),
    ],
  }),
}
