import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

export enum PetStatus {
  Available = 'available',
  Pending = 'pending',
  Sold = 'sold',
}

@Entity('pets')
export class Pet {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  name!: string;

  @Column({ name: 'category_id' })
  categoryId!: number;

  @Column({ type: 'text' })
  status!: PetStatus;
}
