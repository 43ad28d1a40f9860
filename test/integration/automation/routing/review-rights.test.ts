import { describe, expect, test } from 'vitest'
import { addUser } from '../../support/rest-client.js'
import { API, createWorkflowBench } from '../../support/workflow-support.js'

const { call, ok, start, tasks, complete, file, deploy, document, platform, workflow } =
  await createWorkflowBench()

const operation = (user: string, id: string, body: object) =>
  call('POST', `${API}/automation/${id}`, { user, json: body })

const mayWrite = async (user: string, id: string): Promise<boolean> => {
  const json = { 'entity-type': 'document', properties: { 'dc:description': `of ${user}` } }
  const { status } = await call('PUT', `${API}/id/${id}`, { user, json })
  expect([200, 403]).toContain(status)
  return status === 200
}

/** Takes away what ann was granted: she may read as everybody may. */
const revoke = (id: string, user = 'ann') =>
  ok(operation('Administrator', 'Document.RemovePermission', { input: `doc:${id}`, params: { user } }), 200)

/** Lets somebody see nothing of a document any more. */
const deny = (id: string, user: string) =>
  ok(
    operation('Administrator', 'Document.SetACE', {
      input: `doc:${id}`,
      params: { user, permission: 'Everything', grant: false, overwrite: true },
    }),
  )

const begun = async (model: string, variables?: object) => {
  const id = await file()
  const started = await start(model, [id])
  const [choose] = await tasks('ann', started.id)
  if (variables) await ok(complete('ann', choose!, 'start_review', { variables }))
  return { id, workflowId: started.id as string, choose: choose! }
}

describe('rights that were revoked', () => {
  test('do not come back by a task of before that chooses who reviews', async () => {
    const { id, workflowId, choose } = await begun('SerialDocumentReview')
    await revoke(id)
    const variables = { participants: ['ann', 'eve'] }
    expect((await complete('ann', choose, 'start_review', { variables })).status).toBe(403)
    await ok(complete('Administrator', choose, 'start_review', { variables }))
    expect(await tasks('ann', workflowId)).toHaveLength(1)
    expect(await mayWrite('ann', id)).toBe(false)
  })

  test('are missed at the end of a task, and when it is passed on', async () => {
    for (const model of ['SerialDocumentReview', 'ParallelDocumentReview']) {
      const { id, choose } = await begun(model)
      await deny(id, 'ann')
      const refused = { status: 403, json: { message: expect.stringContaining('may not be read') } }
      const variables = { participants: ['ann'] }
      expect(await complete('ann', choose, 'start_review', { variables })).toMatchObject(refused)
      const to = `${API}/task/${choose.id}/delegate?delegatedActors=eve`
      expect(await call('PUT', to, { user: 'ann' })).toMatchObject(refused)
      expect(await ok(call('GET', `${API}/task/${choose.id}`))).toMatchObject({ state: 'opened' })
    }
  })

  test('are not granted by the workflow to who has started it, nor by others for them', async () => {
    const { id, workflowId } = await begun('ParallelDocumentReview', { participants: ['bob'] })
    await revoke(id)
    const [opinion] = await tasks('bob', workflowId)
    await ok(complete('bob', opinion!, 'approve'))
    expect(await tasks('ann', workflowId)).toMatchObject([{ nodeName: 'Task2169' }])
    expect(await mayWrite('ann', id)).toBe(false)
  })

  test('are not passed on by a reviewer, either', async () => {
    const { id, workflowId } = await begun('SerialDocumentReview', { participants: ['bob', 'eve'] })
    const [review] = await tasks('bob', workflowId)
    const passOn = (how: string) => ok(call('PUT', `${API}/task/${review!.id}/${how}`, { user: 'bob' }))
    expect(await mayWrite('bob', id)).toBe(true)
    await passOn('delegate?delegatedActors=eve')
    expect(await mayWrite('eve', id)).toBe(true)
    await revoke(id)
    await passOn('reassign?actors=ann')
    expect(await mayWrite('ann', id)).toBe(false)
  })

  test('of a task of no workflow are missed, too', async () => {
    const id = await file()
    const params = { 'task name': 'look', 'additional list of actors prefixed ids': ['user:bob'] }
    await ok(operation('ann', 'Task.Create', { input: `doc:${id}`, params }))
    const { entries } = await ok(call('GET', `${API}/task?userId=bob`, { user: 'bob' }))
    const task = entries.find((entry: { name: string }) => entry.name === 'look')
    await deny(id, 'bob')
    expect((await complete('bob', task, 'accept')).status).toBe(403)
  })
})

describe('the chains of the reviews', () => {
  const missing = (id: string) => ({
    status: 403,
    json: { message: expect.stringContaining(`ReadWrite is missing on its document ${id}`) },
  })

  const lockOf = async (id: string): Promise<string | undefined> =>
    (await ok(call('GET', `${API}/id/${id}`, { headers: { 'fetch-document': 'lock' } }))).lockOwner

  test('approve nothing for who may only read by now', async () => {
    const { id, workflowId } = await begun('SerialDocumentReview', { participants: ['ann', 'bob'] })
    const [own] = await tasks('ann', workflowId)
    await ok(complete('ann', own!, 'validate'))
    await revoke(id)
    const [friends] = await tasks('bob', workflowId)
    expect(await complete('bob', friends!, 'validate')).toMatchObject(missing(id))
    expect(await document(id)).toMatchObject({ state: 'project', isCheckedOut: true })
    await ok(complete('Administrator', friends!, 'validate'))
    expect(await document(id)).toMatchObject({ state: 'approved' })
  })

  test('go no further where their initiator has lost what the task was to give', async () => {
    const { id, workflowId } = await begun('ParallelDocumentReview', { participants: ['ann'] })
    await revoke(id)
    const [opinion] = await tasks('ann', workflowId)
    await ok(complete('ann', opinion!, 'approve'))
    const [consolidate] = await tasks('ann', workflowId)
    for (const button of ['validate', 'reject'])
      expect(await complete('ann', consolidate!, button)).toMatchObject(missing(id))
    expect(await lockOf(id)).toBe('ann')
  })

  test('approve nothing for whom a policy denies by now, and are not started by them', async () => {
    const { id, workflowId } = await begun('SerialDocumentReview', { participants: ['bob'] })
    await ok(operation('ann', 'Document.Lock', { input: `doc:${id}` }))
    const [review] = await tasks('bob', workflowId)
    const denying = 'decision: deny\npermissions: [WriteLifeCycle]\nwhen: { identities: [ann, bob] }\n'
    await ok(deploy('securityPolicies', 'frozen', denying), 201)
    try {
      expect(await complete('bob', review!, 'validate')).toMatchObject(missing(id))
      const json = {
        ...{ 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' },
        attachedDocumentIds: [await file()],
      }
      expect((await call('POST', `${API}/workflow`, { user: 'ann', json })).status).toBe(403)
    } finally {
      await ok(call('DELETE', `${API}/contributions/securityPolicies/frozen`), 204)
    }
    await ok(complete('bob', review!, 'validate'))
    expect(await document(id)).toMatchObject({ state: 'approved' })
  })

  test('are decided by the queries of policies, too', async () => {
    const policy =
      'permissions: [Browse, WriteLifeCycle]\nquery: "dc:rights IS NULL OR dc:rights <> \'kept\'"\n'
    await ok(deploy('securityPolicies', 'kept', policy), 201)
    try {
      const { id, workflowId } = await begun('SerialDocumentReview', { participants: ['bob'] })
      const [review] = await tasks('bob', workflowId)
      const kept = { input: `doc:${id}`, params: { xpath: 'dc:rights', value: 'kept' } }
      await ok(operation('Administrator', 'Document.SetProperty', kept))
      expect((await complete('bob', review!, 'validate')).status).toBe(403)
      await ok(
        operation('Administrator', 'Document.SetProperty', {
          ...kept,
          params: { xpath: 'dc:rights', value: '' },
        }),
      )
      await ok(complete('bob', review!, 'validate'))
    } finally {
      await ok(call('DELETE', `${API}/contributions/securityPolicies/kept`), 204)
    }
  })

  test('are for nobody to whom a part of what they need is denied, nor for whom they name', async () => {
    /** Before whatever grants him the whole. */
    const denied = async (id: string, permission: string, user: string) => {
      const input = `doc:${id}`
      await revoke(id, user)
      const params = { user, permission, grant: false, overwrite: false }
      await ok(operation('Administrator', 'Document.AddACE', { input, params }))
      const granted = { username: user, permission: 'ReadWrite' }
      await ok(operation('Administrator', 'Document.AddPermission', { input, params: granted }))
    }
    const json = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' }
    const fresh = await file()
    await denied(fresh, 'WriteLifeCycle', 'ann')
    const body = { ...json, attachedDocumentIds: [fresh] }
    expect((await call('POST', `${API}/workflow`, { user: 'ann', json: body })).status).toBe(403)

    const chosen = await begun('SerialDocumentReview')
    await denied(chosen.id, 'WriteProperties', 'ann')
    const variables = { participants: ['eve'] }
    expect(await complete('ann', chosen.choose, 'start_review', { variables })).toMatchObject(
      missing(chosen.id),
    )

    const { id, workflowId } = await begun('SerialDocumentReview', { participants: ['bob', 'eve'] })
    const [review] = await tasks('bob', workflowId)
    const denying = 'decision: deny\npermissions: [WriteProperties]\nwhen: { identities: [bob] }\n'
    await ok(deploy('securityPolicies', 'unwritten', denying), 201)
    await ok(call('PUT', `${API}/task/${review!.id}/delegate?delegatedActors=eve`, { user: 'bob' }))
    expect(await mayWrite('eve', id)).toBe(false)
    await ok(call('DELETE', `${API}/contributions/securityPolicies/unwritten`), 204)
  })

  test('go on for no initiator who may only read by now', async () => {
    const { id, workflowId } = await begun('SerialDocumentReview', { participants: ['bob'] })
    const [review] = await tasks('bob', workflowId)
    await ok(complete('bob', review!, 'reject'))
    const [update] = await tasks('ann', workflowId)
    await revoke(id)
    expect(await complete('ann', update!, 'submit')).toMatchObject(missing(id))
  })

  test('are not reached by an initiator who could not start them any more', async () => {
    const { id, workflowId } = await begun('SerialDocumentReview', { participants: ['bob'] })
    await revoke(id)
    const params = { workflowInstanceId: workflowId, nodeId: 'Task2556' }
    expect(await operation('ann', 'Workflow.ResumeNode', { params })).toMatchObject(missing(id))
    const set = { id: workflowId, properties: { validationOrReview: 'validation' } }
    expect(await operation('ann', 'Workflow.SetWorkflowVariables', { params: set })).toMatchObject(
      missing(id),
    )
    const one = { workflowInstanceId: workflowId, name: 'validationOrReview', value: 'validation' }
    expect(await operation('ann', 'Context.SetWorkflowVar', { params: one })).toMatchObject(missing(id))
    expect(await tasks('bob', workflowId)).toHaveLength(1)
  })

  test('leave the locks that others have set meanwhile', async () => {
    const { id, workflowId } = await begun('ParallelDocumentReview', { participants: ['bob'] })
    for (const name of ['Document.Unlock', 'Document.Lock'])
      await ok(operation('Administrator', name, { input: `doc:${id}` }))
    const [opinion] = await tasks('bob', workflowId)
    await ok(complete('bob', opinion!, 'approve'))
    const [consolidate] = await tasks('ann', workflowId)
    const locked = { status: 409, json: { message: expect.stringContaining('locked by Administrator') } }
    expect(await complete('ann', consolidate!, 'validate')).toMatchObject(locked)
    await ok(complete('ann', consolidate!, 'reject'))
    expect(await lockOf(id)).toBe('Administrator')
    expect(await document(id)).toMatchObject({ state: 'project' })
  })

  test('leave the lock that who has begun the review has set again by hand', async () => {
    const { id, workflowId, choose } = await begun('ParallelDocumentReview')
    await ok(
      operation('Administrator', 'Document.AddPermission', {
        input: `doc:${id}`,
        params: { username: 'bob', permission: 'ReadWrite' },
      }),
    )
    await ok(call('PUT', `${API}/task/${choose.id}/delegate?delegatedActors=bob`, { user: 'ann' }))
    await ok(complete('bob', choose, 'start_review', { variables: { participants: ['eve'] } }))
    for (const name of ['Document.Unlock', 'Document.Lock'])
      await ok(operation('bob', name, { input: `doc:${id}` }))
    const [opinion] = await tasks('eve', workflowId)
    await ok(complete('eve', opinion!, 'approve'))
    const [consolidate] = await tasks('ann', workflowId)
    const locked = { status: 409, json: { message: expect.stringContaining('locked by bob') } }
    expect(await complete('ann', consolidate!, 'validate')).toMatchObject(locked)
    expect(await lockOf(id)).toBe('bob')
    await ok(operation('bob', 'Document.Unlock', { input: `doc:${id}` }))
    await ok(complete('ann', consolidate!, 'validate'))
    expect(await document(id)).toMatchObject({ state: 'approved' })
  })

  test('approve in spite of the lock of who has started the review, alone', async () => {
    const { id, workflowId } = await begun('SerialDocumentReview', { participants: ['bob'] })
    const [review] = await tasks('bob', workflowId)
    await ok(operation('Administrator', 'Document.Lock', { input: `doc:${id}` }))
    expect((await complete('bob', review!, 'validate')).status).toBe(409)
    await ok(operation('Administrator', 'Document.Unlock', { input: `doc:${id}` }))
    await ok(operation('ann', 'Document.Lock', { input: `doc:${id}` }))
    await ok(complete('bob', review!, 'validate'))
    expect(await document(id)).toMatchObject({ state: 'approved' })
  })

  test('lock nothing where somebody calls them without a workflow', async () => {
    const id = await file()
    await ok(operation('ann', 'validateDocument', { input: `doc:${id}` }))
    expect(await document(id)).toMatchObject({ state: 'approved' })
    expect(await lockOf(id)).toBeUndefined()
  })
})

describe('what somebody chooses at the end of a task', () => {
  test('gets no more than they have themselves', async () => {
    const model = `permission: ReadWrite
variables: { reviewers: { type: list } }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: choose }] }
  choose:
    hasTask: true
    taskAssignees: ['bob']
    globalVariables: [reviewers]
    transitions: [{ name: go, targetId: review }]
  review:
    hasTask: true
    taskAssigneesExpr: WorkflowVariables["reviewers"]
    taskAssignees: ['ann']
    taskAssigneesPermission: ReadWrite
    transitions: [{ name: go, targetId: end }]
  end: { stop: true }
`
    await ok(deploy('routes', 'chosen', model), 201)
    const id = await file()
    const { id: workflowId } = await start('chosen', [id])
    const [choose] = await tasks('bob', workflowId)
    await ok(complete('bob', choose!, 'ok', { variables: { reviewers: ['bob', 'eve'] } }))
    expect(await tasks('eve', workflowId)).toHaveLength(1)
    expect(await mayWrite('bob', id)).toBe(false)
    expect(await mayWrite('eve', id)).toBe(false)
    await revoke(id)
    // The model names her: nobody has chosen her.
    expect(await mayWrite('ann', id)).toBe(true)
  })

  test('starts no model that they may not start themselves', async () => {
    const inner = `permission: Everything
nodes:
  begin: { start: true, inputChain: stamping, transitions: [{ name: go, targetId: end }] }
  end: { stop: true }
`
    const outerOf = (variable: string, source: string) => `permission: Read
variables: { model: ${variable} }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: part }] }
  part: { subRouteModelExpr: '${source}', transitions: [{ name: go, targetId: end }] }
  end: { stop: true }
`
    const chosen = 'expr:WorkflowVariables["model"]'
    const stamping = 'operations:\n- Document.SetProperty: { xpath: dc:source, value: stamped, save: true }\n'
    await ok(deploy('chains', 'stamping', stamping), 201)
    await ok(deploy('routes', 'closed', inner), 201)
    await ok(deploy('routes', 'choosing', outerOf('{}', chosen)), 201)
    await ok(deploy('routes', 'computing', outerOf('{ default: closed, internal: true }', chosen)), 201)
    await ok(deploy('routes', 'naming', outerOf('{}', 'closed')), 201)
    const id = await file()
    const source = async () =>
      (await ok(call('GET', `${API}/id/${id}`, { headers: { properties: '*' } }))).properties['dc:source']
    const startingBy = (model: string, variables: object) =>
      call('POST', `${API}/workflow`, {
        user: 'eve',
        json: {
          ...{ 'entity-type': 'workflow', workflowModelName: model },
          ...{ attachedDocumentIds: [id], variables },
        },
      })
    expect(await startingBy('choosing', { model: 'closed' })).toMatchObject({
      status: 403,
      json: { message: expect.stringContaining(`has not Everything on document ${id}`) },
    })
    // What is internal may come from a caller, too, by the workflow around it.
    expect((await startingBy('computing', {})).status).toBe(403)
    expect(await source()).toBeNull()
    await ok(startingBy('naming', {}), 201)
    expect(await source()).toBe('stamped')
  })

  test('fills in nothing that chains of the model leave out, which act with every right', async () => {
    const granting =
      'operations:\n- Document.AddPermission: { username: bob, permission: Read, comment: "expr:Context[\'users\']" }\n'
    const model = `permission: Read
variables: { users: {} }
nodes:
  begin: { start: true, inputChain: granting, transitions: [{ name: go, targetId: end }] }
  end: { stop: true }
`
    await ok(deploy('chains', 'granting', granting), 201)
    await ok(deploy('routes', 'granted', model), 201)
    const id = await file()
    const given = { users: 'eve', blockInheritance: true, permission: 'Everything' }
    const params = { id: 'granted', variables: { users: 'eve' } }
    await ok(operation('eve', 'Context.StartWorkflow', { input: `doc:${id}`, params, context: given }))
    const { acl } = (await ok(call('GET', `${API}/id/${id}/@acl`))) as {
      acl: { name: string; ace: { username: string; permission: string; comment?: string }[] }[]
    }
    const local = acl.find(({ name }) => name === 'local')?.ace
    expect(local).toMatchObject([
      expect.objectContaining({ username: 'ann' }),
      { username: 'bob', permission: 'Read' },
    ])
    expect(local).not.toContainEqual(expect.objectContaining({ comment: 'eve' }))
  })

  test('sets nothing internal by variables that look like those of a rule', async () => {
    const model = `permission: Read
variables: { approved: { default: 'no', internal: true } }
nodes:
  begin: { start: true, transitions: [{ name: go, targetId: review }] }
  review: { hasTask: true, taskAssignees: ['ann'], transitions: [{ name: go, targetId: end }] }
  end: { stop: true }
`
    const resuming = `execution: inline
operations:
- Auth.LoginAs
- Workflow.ResumeNode: { workflowInstanceId: 'expr:ChainParameters["wf"]', nodeId: review }
`
    await ok(deploy('routes', 'internal', model), 201)
    await ok(deploy('chains', 'resuming', resuming), 201)
    const { id } = await start('internal', [await file()])
    const context = { workflowInstanceId: id, nodeId: 'review', WorkflowVariables: { approved: 'yes' } }
    await operation('eve', 'resuming', { params: { wf: id }, context })
    expect((await ok(call('GET', `${API}/workflow/${id}`))).variables).toMatchObject({ approved: 'no' })
  })

  test('leaves no node of a workflow that a caller names by variables to a chain which acts for another', async () => {
    const moving = 'execution: inline\noperations:\n- Auth.LoginAs\n- Workflow.ResumeNode\n'
    await ok(deploy('chains', 'moving', moving), 201)
    const { workflowId } = await begun('SerialDocumentReview', { participants: ['bob'] })
    const [review] = await tasks('bob', workflowId)
    const context = { workflowInstanceId: workflowId, nodeId: review!.nodeName }
    const refused = await operation('eve', 'moving', { params: {}, context })
    expect(refused.status).toBe(400)
    expect(await tasks('bob', workflowId)).toHaveLength(1)
  })

  test('is bounded, and granted at once on each document', async () => {
    const { choose } = await begun('ParallelDocumentReview')
    const participants = Array.from({ length: 101 }, (_, index) => `u${index}`)
    expect(await complete('ann', choose, 'start_review', { variables: { participants } })).toMatchObject({
      status: 400,
      json: { message: 'Node Task328d: assignees of its task: there would be 101, and 100 at most' },
    })
    for (const user of participants.slice(0, 5)) await addUser(platform, user)
    const changesWith = async (count: number): Promise<number> => {
      const { id, choose: task } = await begun('ParallelDocumentReview')
      const token = async () =>
        (await platform.database.sql`SELECT system_token AS token FROM documents WHERE id = ${id}`)[0]?.token
      const before = await token()
      const variables = { participants: participants.slice(0, count) }
      await ok(complete('ann', task, 'start_review', { variables }))
      return (await token()) - before
    }
    expect(await changesWith(5)).toBe(await changesWith(1))
  })

  test('is answered with what is wrong where it names nobody', async () => {
    const { choose, workflowId } = await begun('SerialDocumentReview')
    for (const participants of [[], [7], ['']])
      expect((await complete('ann', choose, 'start_review', { variables: { participants } })).status).toBe(
        409,
      )
    const internal = { status: 400, json: { message: expect.stringContaining('variables.index') } }
    const params = { id: workflowId, properties: { index: 7 } }
    expect(await operation('ann', 'Workflow.SetWorkflowVariables', { params })).toMatchObject(internal)
    const json = {
      ...{ 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' },
      ...{ attachedDocumentIds: [await file()], variables: { index: 7 } },
    }
    expect(await call('POST', `${API}/workflow`, { user: 'ann', json })).toMatchObject(internal)
    await ok(complete('ann', choose, 'start_review', { variables: { participants: ['bob'] } }))
    expect(await workflow(workflowId)).toMatchObject({ variables: { index: 0 } })
  })
})

test('who may only read a document gives nobody a task whose buttons run chains on it', async () => {
  await ok(
    deploy('chains', 'approving', 'operations:\n- Document.FollowLifecycleTransition: { value: approve }\n'),
    201,
  )
  const id = await file()
  const params = {
    ...{ 'task name': 'read this', 'additional list of actors prefixed ids': ['user:ann'] },
    'reject operation chain': 'approving',
  }
  expect((await operation('eve', 'Task.Create', { input: `doc:${id}`, params })).status).toBe(403)
  expect(await tasks('ann', '')).not.toContainEqual(expect.objectContaining({ name: 'read this' }))
  await ok(operation('ann', 'Task.Create', { input: `doc:${id}`, params }))
  expect((await document(id)).state).toBe('project')
})
