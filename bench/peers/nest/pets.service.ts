import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Pet } from './pet.entity.ts';
import type { CreatePetDto, ListPetsDto } from './pets.dto.ts';

@Injectable()
export class PetsService {
  constructor(@InjectRepository(Pet) private readonly pets: Repository<Pet>) {}

  list({ limit, status, before }: ListPetsDto): Promise<Pet[]> {
    const where = { ...(status && { status }), ...(before && { id: LessThan(before) }) };
    return this.pets.find({ where, order: { id: 'DESC' }, take: limit });
  }

  async get(id: number): Promise<Pet> {
    const pet = await this.pets.findOneBy({ id });
    if (!pet) throw new NotFoundException();
    return pet;
  }

  /** Uses `insert`, one statement: with `save`, requests would share a transaction and some be answered before its commit. */
  async create(dto: CreatePetDto): Promise<Pet> {
    const pet = this.pets.create(dto);
    await this.pets.insert(pet);
    return pet;
  }
}
