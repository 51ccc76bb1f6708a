const FIRST_NAMES =
  'Aaliyah Aaron Abigail Adam Adrian Agnes Aiden Alan Albert Alejandra Alexander Alice Aline Allison Amandeep ' +
  'Amelia Amir Amrit Ana Anastasia Andrea Andrew Angela Anita Anna Anthony Antoine Arjun Arthur Ashley Audrey ' +
  'Aurora Ava Baljit Barbara Beatrice Benjamin Bernard Beth Bianca Brandon Brenda Brian Bruce Caitlin Cameron ' +
  'Carlos Carmen Caroline Casey Catherine Cecilia Celine Charles Charlotte Chloe Christine Christopher Claire ' +
  'Colin Connor Craig Daniel Daria Darlene David Deborah Denise Derek Diana Diego Dmitri Donald Dorothy Douglas ' +
  'Dylan Edward Eileen Elaine Elena Eli Elizabeth Emily Emma Eric Ethan Eugene Eva Evelyn Farah Fatima Felix ' +
  'Fiona Florence Frances Francisco Frank Gabriel Gail Garrett Gary Geoffrey George Gerald Giovanni Giulia Gloria ' +
  'Gordon Grace Graham Greg Gurpreet Hannah Harjit Harold Harpreet Hassan Heather Hector Helen Henry Hiroshi ' +
  'Howard Hugo Hye Ian Ibrahim Ingrid Irene Isaac Isabelle Ivan Jack Jacqueline Jagdeep James Janet Jasmine Jason ' +
  'Javier Jean Jennifer Jessica Jia Joan Joanna Jonathan Joseph Joyce Juan Judith Julia Julien Justin Karen ' +
  'Kathleen Katrina Keiko Keith Kelly Kenji Kenneth Kevin Khalid Kimberly Kiran Krista Kyle Lars Laura Lauren ' +
  'Leah Leonard Leticia Liam Lillian Linda Ling Lisa Logan Lorraine Louis Lucas Lucia Luke Lynn Madison Malcolm ' +
  'Mandeep Manuel Marcus Margaret Maria Marie Marina Mark Martha Martin Mary Mateo Matthew Maureen Maxime Maya ' +
  'Megan Mehdi Melissa Michael Michelle Miguel Min Miriam Mohammed Monica Morgan Nadia Nancy Naomi Natalie Nathan ' +
  'Navdeep Neil Nicholas Nicole Nina Noah Nora Norman Olga Oliver Olivia Omar Oscar Owen Pamela Parveen Patricia ' +
  'Patrick Paul Pauline Peter Philip Priya Rachel Rajesh Ramon Randall Raymond Rebecca Reza Richard Rita Robert ' +
  'Robin Roger Rohan Ronald Rosa Rose Roxanne Roy Ruth Ryan Sabrina Samantha Samuel Sandra Sanjay Sara Scott Sean ' +
  'Sergei Shannon Sharon Sheila Shirley Simon Sofia Sonia Sophie Stanley Stella Stephanie Stephen Stuart Sukhdeep ' +
  'Susan Sven Sylvia Tamara Tanya Tara Teresa Theodore Thomas Timothy Todd Tomas Tracy Trevor Tyler Valerie ' +
  'Vanessa Veronica Victor Victoria Vincent Viola Virginia Vivian Walter Wayne Wei Wendy William Xavier Xin Yasmin ' +
  'Yolanda Yuki Yusuf Yvonne Zachary Zahra Zoe';

const LAST_NAMES =
  'Abbott Adams Ahmed Akhtar Allen Almeida Anand Andersen Anderson Andrews Arnold Arsenault Asselin Atkinson Bailey ' +
  'Bains Baker Banerjee Barnes Basra Beaulieu Beck Belanger Bell Bennett Berg Bergeron Bertrand Bhatt Bianchi Bird ' +
  'Blackwood Blanchard Boucher Bouchard Bowman Boyd Bradley Brar Brown Bruce Bryant Burke Burns Butler Cameron ' +
  'Campbell Carlson Caron Carpenter Carr Carson Carter Castillo Chan Chapman Charbonneau Chen Cheng Cheung Choi Chow ' +
  'Christensen Chu Chung Clark Clarke Cohen Coleman Collins Cook Cooper Cormier Costa Coulter Cox Craig Crawford Cruz ' +
  'Cunningham Dang Das Davidson Davies Davis Dawson Delacroix Desjardins Dhaliwal Dhillon Diaz Dixon Do Donaldson ' +
  'Douglas Doyle Drummond Dubois Duncan Dunn Dupuis Edwards Elliott Ellis Erickson Evans Fernandes Fernandez Ferrari ' +
  'Fisher Fleming Fletcher Flores Ford Forrest Fortin Foster Fournier Fox Francis Fraser Friesen Frost Gagnon Garcia ' +
  'Gardner Gauthier Gibson Gill Girard Goldberg Gomez Gonzalez Gordon Graham Grant Gray Green Grewal Griffin Gupta ' +
  'Haddad Hall Hamilton Hansen Harper Harris Harrison Harvey Hassan Hayes Henderson Hernandez Hill Ho Hoffman Holland ' +
  'Holmes Howard Huang Hughes Hunter Hussain Ibrahim Ito Ivanov Jackson Jacobs Jang Jansen Jensen Jimenez Johal ' +
  'Johansson Johnson Johnston Jones Jung Kang Kapoor Kaur Kelly Kennedy Kerr Khan Kim King Klassen Klein Knight Kowalski ' +
  'Kozlov Kumar Kwan Kwok Lachance Lai Lam Lambert Lang Laporte Larsen Lau Lavoie Lawrence Lawson Le Leblanc Lee ' +
  'Lefebvre Leung Levesque Lewis Li Liang Lin Lindberg Little Liu Lo Logan Lopez Luo Ma MacDonald MacKenzie MacLean ' +
  'MacLeod Macedo Mah Malhotra Mann Marchand Marshall Martel Martin Martinez Mason Masson Matthews McCarthy McDonald ' +
  'McGregor McIntyre McKay McLaughlin McMillan Mendoza Mercier Meyer Miller Mills Mitchell Mohamed Moore Morales Moreau ' +
  'Morgan Morin Morris Morrison Moscovitz Murphy Murray Nadeau Nair Nakamura Nelson Neufeld Newton Ng Nguyen Nichols ' +
  'Nielsen Nikolic Noble Novak Nowak Oconnor Okafor Oliveira Olsen Olson Ortiz Osman Owens Palmer Papadopoulos Paquette ' +
  'Park Parker Parsons Patel Paterson Patterson Payne Pearson Pelletier Penner Pereira Perez Perry Peters Petersen ' +
  'Peterson Petrov Pham Phillips Pierce Poirier Popov Porter Powell Prasad Price Quinn Ramirez Ramos Rao Reid Reimer ' +
  'Reyes Reynolds Richard Richards Richardson Rivera Roberts Robertson Robinson Rodriguez Rogers Romano Ross Rossi ' +
  'Rousseau Roy Russell Ryan Saito Sanchez Sandhu Santos Sato Saunders Savard Schmidt Schneider Schroeder Schulz Scott ' +
  'Sharma Shaw Sidhu Silva Simard Simmons Simpson Singh Smirnov Smith Snyder Sokolov Spencer Stanley Stevens Stewart ' +
  'Stone Sullivan Sutherland Suzuki Takahashi Tam Tan Tanaka Tang Taylor Thibault Thomas Thompson Thomson To Torres Tran ' +
  'Tremblay Truong Tsang Tucker Turner Valdez Vasquez Villeneuve Vo Volkov Walker Wallace Walsh Wang Ward Warren Watson ' +
  'Watts Weaver Webb Weber White Wiebe Wilkinson Williams Williamson Wilson Wolfe Wong Wood Woods Wright Wu Xu Yamamoto ' +
  'Yang Yoon Young Yu Zapata Zhang Zhao Zheng Zhou Zimmerman';

/** Common names of people in Canada, in no order that matters. */
export const COMMON_NAMES = {
  first: FIRST_NAMES.split(' '),
  last: LAST_NAMES.split(' '),
} as const;

/** Numbers below n that are the same in every run: mulberry32. */
export function seededNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
