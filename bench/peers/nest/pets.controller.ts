import { Body, Controller, Get, Param, ParseIntPipe, Post, Query, UseGuards } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard.ts';
import type { Pet } from './pet.entity.ts';
import { CreatePetDto, ListPetsDto } from './pets.dto.ts';
import { PetsService } from './pets.service.ts';

@Controller('v1/pets')
@UseGuards(ApiKeyGuard)
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  list(@Query() query: ListPetsDto): Promise<Pet[]> {
    return this.pets.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number): Promise<Pet> {
    return this.pets.get(id);
  }

  @Post()
  create(@Body() pet: CreatePetDto): Promise<Pet> {
    return this.pets.create(pet);
  }
}
