import { getUserWorkspace } from '../../../content/user-workspaces/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'

const getHome = defineOperation({
  id: 'User.GetUserWorkspace',
  aliases: ['UserWorkspace.Get'],
  label: 'Get Home',
  category: 'Users & Groups',
  description: "Gives the caller's own workspace, which is made when there is none yet.",
  params: {},
  methods: ({ method }) => [
    method('void', 'document', async ({ context }) => documentValue(await getUserWorkspace(context.session))),
  ],
})

export const userWorkspaceOperations: readonly Operation[] = [getHome]
