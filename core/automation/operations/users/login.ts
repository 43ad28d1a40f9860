import { loadPrincipal } from '../../../access/identity/index.js'
import { SYSTEM } from '../../../access/security/index.js'
import { fail, ifFound } from '../../../platform/errors/index.js'
import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
  VOID,
} from '../../language/index.js'
import { asDocument, CURRENT_DOCUMENT } from '../shared/current-document.js'

const CATEGORY = 'Users & Groups'

/**
 * Leaves in variables the documents that whoever has acted so far may see. A caller may have named them, who does not choose
 * what is done with rights of others.
 */
const forgetHidden = async ({ variables, documents }: OperationContext): Promise<void> => {
  for (const [name, value] of Object.entries(variables)) {
    const named = name === CURRENT_DOCUMENT ? asDocument(value) : value
    if (named.type !== 'document' && named.type !== 'documents') continue
    const found = await ifFound(documents(named))
    if (!found) delete variables[name]
    else if (named.type === 'documents' && found.length < named.ids.length)
      variables[name] = { type: 'documents', ids: found.map(({ id }) => id) }
  }
}

const login = async (context: OperationContext, name: string | undefined): Promise<void> => {
  // Before anything is looked up: strangers learn nothing about who is there.
  context.requireDeployed('Auth.LoginAs')
  const { identities } = context.session
  const principal = name?.trim() ? await loadPrincipal(identities, identities.rules, name.trim()) : SYSTEM
  if (!principal) throw fail('badRequest', `name: there is no user '${name}' who may log in`)
  await forgetHidden(context)
  context.login(principal)
}

const loginAs = defineOperation({
  id: 'Auth.LoginAs',
  label: 'Login As',
  category: CATEGORY,
  description:
    'Lets the steps that follow run as another user, or with all rights; only in deployed chains, until Auth.Logout or their end.',
  params: {
    name: {
      type: 'string',
      // Who calls a chain does not choose who it acts as.
      isOwn: true,
      description: 'The user; without one the system itself, with all rights.',
    },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      await login(context, params.name)
      return VOID
    }),
    method('document', 'document', async ({ context, input, params }) => {
      await login(context, params.name)
      return documentValue(input)
    }),
  ],
})

const logout = defineOperation({
  id: 'Auth.Logout',
  label: 'Logout',
  category: CATEGORY,
  description: 'Gives back the identity that Auth.LoginAs took last.',
  params: {},
  methods: ({ method }) => [
    method('void', 'void', async ({ context }) => {
      context.logout()
      return VOID
    }),
    method('document', 'document', async ({ context, input }) => {
      context.logout()
      return documentValue(input)
    }),
  ],
})

export const loginOperations: readonly Operation[] = [loginAs, logout]
