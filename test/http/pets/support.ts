import type { Answer, Service } from '../../support/service/service.ts';

export interface AddedPet {
  readonly path: string;
  readonly id: bigint;
  readonly answer: Answer;
}

/** Adds an animal: Rex in category 7, unless told. */
export async function addPet(service: Service, body: object = {}): Promise<AddedPet> {
  const answer = await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7, ...body } });
  const { id } = answer.json as { id: bigint };
  return { path: `/v1/pets/${id}`, id, answer };
}

export const etagOf = ({ headers }: Answer): string => headers.get('etag') ?? '';
