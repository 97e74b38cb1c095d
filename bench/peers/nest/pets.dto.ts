import { Type } from 'class-transformer';
import { IsEnum, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { PetStatus } from './pet.entity.ts';

export class CreatePetDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(1000)
  name!: string;

  @IsInt()
  categoryId!: number;

  @IsOptional()
  @IsEnum(PetStatus)
  status: PetStatus = PetStatus.Available;
}

export class ListPetsDto {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  before?: number;
}
